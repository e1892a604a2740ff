#pragma once

// Luma and chroma to blue, green, red, 255 in one pass, for every matrix and range.

#include <stddef.h>
#include <stdint.h>

#include "ck_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Converts a picture of luma and chroma; of others nothing is done. Nothing is read past the samples of a plane's last
// row.
void ck_bgra_convert(const ck_pixels_picture *_Nonnull picture, uint8_t *_Nonnull bgra, size_t stride,
                     ck_widest_loops loops);

#ifdef __cplusplus
}
#endif
