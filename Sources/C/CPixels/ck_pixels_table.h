#pragma once

#include "ck_pixels.h"

// For each target pixel along an axis the two samples that it lies between. Samples may be averaged in groups of
// `shrink` beforehand, so that a small target leaves none out; indices count such groups.
typedef struct ck_table {
    int count;          // target pixels
    int shrink;         // samples in a group
    int groups;         // in the picture
    int samples;        // in the picture
    int is_narrow;      // whether the samples of 8 neighbours lie within 16 bytes
    int32_t *index;     // the first of the two; the last entry is repeated up to a multiple of 16
    uint8_t *weight;    // the second one's, in parts of CK_WHOLE
    // For each 8 target pixels: where their samples start, and for each pixel the two samples' places from there and
    // the two weights.
    int32_t *base;
    uint8_t *pick;
    uint8_t *weights;
} ck_table;

enum { CK_WHOLE = 64, CK_CHUNK = 16 };

// `subsampling`: pixels that share a sample; the sample lies in their middle. Returns 0 where there is no memory.
int ck_table_make(ck_table *table, ck_pixels_axis axis, int count, int pixels, int subsampling);
void ck_table_free(ck_table *table);

// The groups that target pixels from..<to need: the first, and how many.
static inline int ck_table_first(const ck_table *table, int from, int to) {
    int a = table->index[from], b = table->index[to - 1];
    return a < b ? a : b;
}
static inline int ck_table_span(const ck_table *table, int from, int to) {
    int a = table->index[from], b = table->index[to - 1];
    int span = (a < b ? b - a : a - b) + 2, first = a < b ? a : b;
    return first + span > table->groups ? table->groups - first : span;
}
