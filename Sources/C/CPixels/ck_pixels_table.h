#pragma once

#include "ck_pixels.h"

// For each target pixel along an axis the samples that it is made of: the two that it lies between or, where target
// pixels are larger than samples, the three that it covers parts of. Samples may be averaged in groups of `shrink`
// beforehand, so that a small target leaves none out; indices count such groups.
typedef struct ck_table {
    int count;          // target pixels
    int taps;           // groups that make a target pixel, 2 or 3
    int shrink;         // samples in a group
    int groups;         // in the picture
    int samples;        // in the picture
    int is_narrow;      // whether the groups of 8 neighbours lie within 16 bytes
    int32_t *index;     // the first group; the last entry is repeated up to a multiple of CK_CHUNK
    uint8_t *weight;    // the second one's, in parts of CK_WHOLE
    uint8_t *third;     // the third one's; the first one has the rest
    // For each 8 target pixels: where their groups start, and for each pixel the places of the first two from there and
    // their weights; then the same of the third, twice.
    int32_t *base;
    uint8_t *pick, *weights;
    uint8_t *third_pick, *third_weights;
} ck_table;

enum { CK_WHOLE = 64, CK_CHUNK = 16 };

// `subsampling`: pixels that share a sample; the sample lies in their middle. `most_taps`: 2 or 3. Returns 0 where there
// is no memory.
int ck_table_make(ck_table *table, ck_pixels_axis axis, int count, int pixels, int subsampling, int most_taps);
void ck_table_free(ck_table *table);

// The groups that target pixels from..<to need: the first, and how many.
static inline int ck_table_first(const ck_table *table, int from, int to) {
    int a = table->index[from], b = table->index[to - 1];
    return a < b ? a : b;
}
static inline int ck_table_span(const ck_table *table, int from, int to) {
    int a = table->index[from], b = table->index[to - 1];
    int span = (a < b ? b - a : a - b) + table->taps, first = a < b ? a : b;
    return first + span > table->groups ? table->groups - first : span;
}
