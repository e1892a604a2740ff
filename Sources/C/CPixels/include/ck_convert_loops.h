#pragma once

// Samples to samples of another meaning, row by row: what ck_convert and the JPEG encoder are made of.

#include <stddef.h>
#include <stdint.h>

#include "ck_colour.h"
#include "ck_widest_loops.h"

#ifdef __cplusplus
extern "C" {
#endif

// Gains and offsets in parts of 2^CK_FRACTION, the offset with the half that rounds.
enum { CK_FRACTION = 14 };

typedef struct ck_fixed_row {
    int32_t gain[3], offset;
} ck_fixed_row;

typedef struct ck_fixed {
    ck_fixed_row out[3];
} ck_fixed;

ck_fixed ck_fixed_of(const ck_colour_matrix *_Nonnull matrix);

typedef const uint8_t *_Nonnull ck_samples;

// One set of loops for each kind of processor; all give the same samples.
typedef struct ck_convert_loops {
    // One sample out of one of each row.
    void (*_Nonnull mix)(const ck_fixed_row *_Nonnull row, ck_samples a, ck_samples b, ck_samples c, size_t count, uint8_t *_Nonnull out);
    // One out of the sums of two neighbours, in rows of twice as many.
    void (*_Nonnull mix_pairs)(const ck_fixed_row *_Nonnull row, ck_samples a, ck_samples b, ck_samples c, size_t count, uint8_t *_Nonnull out);
    // One out of the sums of two neighbours in two rows each.
    void (*_Nonnull mix_squares)(const ck_fixed_row *_Nonnull row, const ck_samples a[_Nonnull 2], const ck_samples b[_Nonnull 2],
                        const ck_samples c[_Nonnull 2], size_t count, uint8_t *_Nonnull out);
    // Luma in place; two samples share one of chroma.
    void (*_Nonnull change_luma)(const ck_fixed_row *_Nonnull row, ck_samples u, ck_samples v, size_t count, uint8_t *_Nonnull y);
    // Both in place.
    void (*_Nonnull change_chroma)(const ck_fixed *_Nonnull fixed, size_t count, uint8_t *_Nonnull u, uint8_t *_Nonnull v);
} ck_convert_loops;

const ck_convert_loops *_Nonnull ck_convert_loops_for(ck_widest_loops loops);

#ifdef __cplusplus
}
#endif
