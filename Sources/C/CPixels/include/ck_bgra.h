#pragma once

// Luma and chroma to blue, green, red, 255 in one pass, for every matrix and range.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the samples of a picture lie.
typedef enum ck_bgra_samples {
    CK_BGRA_YUYV,          // one plane, 4:2:2
    CK_BGRA_UYVY,          // one plane, 4:2:2
    CK_BGRA_SEMI_PLANAR,   // luma plane, plane of U V pairs, 4:2:0
    CK_BGRA_PLANAR,        // three planes, 4:2:0
} ck_bgra_samples;

// A picture. Nothing is read past the samples of a plane's last row.
typedef struct ck_bgra_picture {
    ck_bgra_samples samples;
    int width;
    int height;
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
    int limited_range;
    double red_weight, blue_weight;  // of luma
} ck_bgra_picture;

// Which loops convert; all give the same pixels. Only tests ask for other than the best.
typedef enum ck_bgra_loops { CK_BGRA_BEST_LOOPS, CK_BGRA_PORTABLE_LOOPS } ck_bgra_loops;

void ck_bgra_convert(const ck_bgra_picture *_Nonnull picture, uint8_t *_Nonnull bgra, size_t stride,
                     ck_bgra_loops loops);

#ifdef __cplusplus
}
#endif
