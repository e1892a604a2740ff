#pragma once

// Rows of samples as cameras send them, to planes as JPEG means them. What a camera sends most, BT.601 of either range,
// is converted on the way; other matrices by the loops of CPixels, which do both at once.

#include <stddef.h>
#include <stdint.h>

#include "ck_jpeg.h"

// One set of loops for each kind of processor. All counts are samples of the destination.
typedef struct ck_rows {
    // Copies luma or chroma, expanding limited range to full.
    void (*expand_luma)(const uint8_t *source, size_t count, uint8_t *luma);
    void (*expand_chroma)(const uint8_t *source, size_t count, uint8_t *chroma);
    // U V U V … to two rows.
    void (*split_chroma)(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v);
    void (*split_expand_chroma)(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v);
    // Y U Y V … and U Y V Y …; `count` counts chroma samples, twice as many luma samples come out.
    void (*split_yuyv)(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v);
    void (*split_expand_yuyv)(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v);
    void (*split_uyvy)(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v);
    void (*split_expand_uyvy)(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v);
} ck_rows;

const ck_rows *ck_rows_for(ck_widest_loops loops);
