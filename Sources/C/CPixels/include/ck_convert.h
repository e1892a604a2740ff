#pragma once

// Any samples to luma and chroma, or to luma alone, of any layout, matrix and range: two rows at a time, each sample
// rounded once on its way from colours, and once more only where rows of chroma are averaged.

#include <stddef.h>
#include <stdint.h>

#include "ck_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where the samples go.
typedef struct ck_convert_target {
    ck_pixels_samples samples;
    uint8_t *_Nullable planes[3];
    size_t strides[3];
    ck_colour_meaning meaning;
} ck_convert_target;

// Converts a picture to luma and chroma, or luma, of the same size. Pixels that share chroma get the mean of theirs;
// the picture's edge is repeated. Returns 0 where there is no memory for the scratch rows, or the target is RGB.
int ck_convert(const ck_pixels_picture *_Nonnull picture, const ck_convert_target *_Nonnull target,
               ck_widest_loops loops);

#ifdef __cplusplus
}
#endif
