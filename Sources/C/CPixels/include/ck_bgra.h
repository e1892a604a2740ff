#pragma once

// Luma and chroma to blue, green, red, 255 in one pass, for every matrix and range.

#include <stddef.h>
#include <stdint.h>

#include "ck_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which loops convert; all give the same pixels. Only tests ask for other than the best.
typedef enum ck_bgra_loops {
    CK_BGRA_BEST_LOOPS,
    CK_BGRA_BASELINE_LOOPS,  // without AVX-512
    CK_BGRA_PORTABLE_LOOPS,
} ck_bgra_loops;

// Converts a picture of luma and chroma; of others nothing is done. Nothing is read past the samples of a plane's last
// row.
void ck_bgra_convert(const ck_pixels_picture *_Nonnull picture, uint8_t *_Nonnull bgra, size_t stride,
                     ck_bgra_loops loops);

#ifdef __cplusplus
}
#endif
