#pragma once

#include <stddef.h>

#include "ck_scale.h"
#include "ck_scale_weights.h"

// Samples between the two filters: in parts of 64, or light in parts of 2^14; both leave room for a filter's overshoot.
enum { CK_SCALE_UNIT = 64, CK_SCALE_UNIT_BITS = 6, CK_SCALE_LIGHT_BITS = 14 };

// Rows end with so many arbitrary bytes that loops may read or write whole registers.
typedef struct ck_scale_set {
    // Mixes rows sample by sample. `pairs` pairs of rows, the last of them perhaps with a weight of 0.
    void (*down_bytes)(const uint8_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out);
    void (*down_words)(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out);
    // Mixes neighbours of one row.
    void (*across)(const int16_t *row, const ck_weights *columns, int16_t *out);
    // The light of blue, green and red, of a row of luma, one of U and one of V.
    void (*light_of_ycc)(const uint8_t *const *samples, size_t count, int16_t *const *planes);
} ck_scale_set;

// Weights across come in multiples of this; the loops read so far, and three target samples farther, behind a row's end,
// where two spares of words lie.
enum { CK_SCALE_ACROSS = 16, CK_SCALE_MOST_RATIO = 16 };

extern const ck_scale_set ck_scale_portable_set;
#if defined(__x86_64__)
extern const ck_scale_set ck_scale_sse2_set, ck_scale_avx2_set;
#endif
const ck_scale_set *ck_scale_set_for(ck_widest_loops loops);

static inline int16_t ck_scale_word(int32_t value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

// Makes a row of blue, green, red, alpha of filtered planes.
typedef void ck_scale_paint(const int16_t *const *planes, int count, uint8_t *bgra);
ck_scale_paint *ck_scale_paint_for(const ck_scale_plan *plan);

// Takes a row of blue, green, red, alpha apart, to be filtered.
void ck_scale_split_bytes(const uint8_t *bgra, int count, uint8_t *const *planes);
void ck_scale_split_weighted(const uint8_t *bgra, int count, int16_t *const *planes);
void ck_scale_split_light(const uint8_t *bgra, int count, int16_t *const *planes);
void ck_scale_split_weighted_light(const uint8_t *bgra, int count, int16_t *const *planes);
