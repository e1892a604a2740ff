#pragma once

// Draws a camera's picture at another size in one pass: crop, scale, convert to BGRA, turn and mirror together, in
// pieces that stay in the processor's nearest caches.

#include <stddef.h>
#include <stdint.h>

#include "ck_colour.h"
#include "ck_widest_loops.h"

typedef enum ck_pixels_samples {
    CK_PIXELS_YUYV,
    CK_PIXELS_UYVY,
    CK_PIXELS_SEMI_PLANAR,  // 4:2:0, luma, then pairs of U and V
    CK_PIXELS_PLANAR,       // 4:2:0, luma, U, V
    CK_PIXELS_GREY,
    CK_PIXELS_RGB,
    CK_PIXELS_BGR,
    CK_PIXELS_BGRX,
} ck_pixels_samples;

typedef struct ck_pixels_picture {
    ck_pixels_samples samples;
    int width, height;
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
    ck_colour_meaning meaning;  // of luma and chroma
} ck_pixels_picture;

// Where target pixels lie along one side of the picture: the place of the first one's centre, in pixels from the
// picture's edge, and the distance from one to the next, negative where the picture is flipped. Places beyond
// the picture show its edge.
typedef struct ck_pixels_axis {
    double start, step;
} ck_pixels_axis;

// Rows of BGRA.
typedef struct ck_pixels_target {
    uint8_t *_Nonnull bytes;
    size_t stride;
    int width, height;
} ck_pixels_target;

// Fills the whole target. With `transposed` the picture's columns run down the target's rows: `columns` has a place for
// each of its rows then, `rows` one for each of its columns. Returns 0 where there is no memory for the scratch rows.
int ck_pixels_draw(const ck_pixels_picture *_Nonnull picture, ck_pixels_axis columns, ck_pixels_axis rows,
                   int transposed, const ck_pixels_target *_Nonnull target, ck_widest_loops loops);

// Fills the whole target with one colour, blue in the lowest byte.
void ck_pixels_fill(const ck_pixels_target *_Nonnull target, uint32_t bgra);
