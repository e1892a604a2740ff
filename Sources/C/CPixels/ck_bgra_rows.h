#pragma once

// What the loops of ck_bgra_convert share.

#include <stddef.h>
#include <stdint.h>

#include "ck_pixels.h"

// Products keep five bits of fraction: samples stand in the high byte of 16 bits, and gains are parts of 2^13.
enum { CK_BGRA_FRACTION = 5, CK_BGRA_GAIN = 1 << 13 };

typedef struct ck_bgra_colour {
    uint16_t luma;
    int16_t black;  // taken off luma, with the half that rounds
    int16_t u_blue, u_green, v_green, v_red;
} ck_bgra_colour;

// Where a row's samples are: `chroma` has the pairs, or U, and `v` is null.
typedef struct ck_bgra_row {
    const uint8_t *luma, *chroma, *v;
} ck_bgra_row;

// Converts the first `count` pixels of a row.
typedef void (*ck_bgra_loop)(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra);

// The loops for YUYV, UYVY, semi-planar and planar samples; `pixels` says what counts they take multiples of.
typedef struct ck_bgra_rows {
    size_t pixels;
    ck_bgra_loop loops[4];
} ck_bgra_rows;

#if defined(__x86_64__)

extern const ck_bgra_rows ck_bgra_avx2;
extern const ck_bgra_rows ck_bgra_avx512;

// Eight bytes picked into the high bytes of words; -1 is zero.
#define CK_HIGH(a, b, c, d, e, f, g, h) -1, a, -1, b, -1, c, -1, d, -1, e, -1, f, -1, g, -1, h

#endif
