#pragma once

// Rows of samples as cameras send them, to planes as JPEG means them. This is the one place where range and
// matrix are converted.

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

const ck_rows *ck_rows_for(ck_jpeg_loops loops);

// A change of matrix between full-range YCbCr spaces, as fractions of 2^14.
typedef struct ck_rows_matrix {
    int32_t luma_u, luma_v;
    int32_t u_u, u_v;
    int32_t v_u, v_v;
} ck_rows_matrix;

ck_rows_matrix ck_rows_matrix_to_bt601(ck_jpeg_matrix matrix);

// Converts one row of chroma in place and the `luma_rows` (1 or 2) rows of luma that share it, two luma
// samples a chroma sample; luma rows have room for `2 * count` samples.
void ck_rows_convert(const ck_rows_matrix *matrix, size_t count, uint8_t *const *luma, int luma_rows,
                     uint8_t *u, uint8_t *v);
