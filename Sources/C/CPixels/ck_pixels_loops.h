#pragma once

#include "ck_pixels_table.h"

// How samples become colours, with four bits of fraction: gains in parts of 2^13, which a product with samples in
// parts of CK_WHOLE brings to that.
typedef struct ck_colour {
    int16_t y, u_blue, u_green, v_green, v_red;
    int16_t blue, green, red;  // added at the end
    int is_direct;             // the rows called y, u, v are green, blue, red
} ck_colour;

// One piece of a target row.
typedef struct ck_piece {
    const ck_table *luma, *chroma;
    const ck_colour *colour;
    const uint8_t *y, *u, *v;  // rows of groups; 16 bytes behind the last one may be read
    int first_luma, first_chroma;  // the groups that the rows start with
    int from, count;               // target pixels; `from` is a multiple of CK_CHUNK
    uint8_t *out;
} ck_piece;

// One set of loops for each kind of processor; all give the same samples. The blends mix two rows, `weight` parts of
// CK_WHOLE of the second one, and take them apart; counts are samples of the row that has least of them.
typedef struct ck_loops {
    void (*blend)(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *out);
    void (*blend_pairs)(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *u, uint8_t *v);
    void (*blend_yuyv)(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y, uint8_t *u,
                       uint8_t *v);
    void (*blend_uyvy)(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y, uint8_t *u,
                       uint8_t *v);
    void (*blend_bgrx)(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *blue,
                       uint8_t *green, uint8_t *red);
    void (*draw)(const ck_piece *piece);
    // `rows` rows of `columns` pixels, `pixels_a_row` apart, become columns of the target.
    void (*transpose)(const uint32_t *tile, size_t pixels_a_row, int rows, int columns, uint8_t *target,
                      size_t stride);
} ck_loops;

extern const ck_loops ck_portable_loops;
#if defined(__x86_64__)
extern const ck_loops ck_ssse3_loops;
#endif
const ck_loops *ck_loops_for(ck_widest_loops loops);

ck_colour ck_colour_for(const ck_pixels_picture *picture);

void ck_blend_bgr(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *first,
                  uint8_t *second, uint8_t *third);
// The average of rows, sample by sample; `sums` has room for `count`.
void ck_average_rows(const uint8_t *rows, size_t stride, int row_count, size_t count, uint16_t *sums,
                     uint8_t *out);
// The averages of `shrink` neighbours each, in place; the last of them may have fewer.
void ck_average_neighbours(uint8_t *samples, size_t sample_count, int shrink, size_t group_count);
