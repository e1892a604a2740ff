#pragma once

#include <stdint.h>

// For each target sample along one side the source samples that it is made of, and their parts of CK_SCALE_WHOLE.
typedef struct ck_weights {
    int count;         // target samples
    int taps;          // weights of each, zeros at the end
    int32_t *first;    // the first source sample
    int32_t *used;     // source samples that exist
    int16_t *weights;  // `taps` for each target sample; they add up to CK_SCALE_WHOLE
} ck_weights;

enum { CK_SCALE_WHOLE = 1 << 14 };

// One side of a plane, in samples: the part that fills the target, the picture's end, which may lie within the last
// sample, and how many samples there are.
typedef struct ck_side {
    double start, length, end;
    int samples;
} ck_side;

// `multiple`: what the number of weights is rounded up to. Returns 0 where there is no memory.
int ck_weights_make(ck_weights *weights, ck_side side, int count, int multiple);
void ck_weights_free(ck_weights *weights);
