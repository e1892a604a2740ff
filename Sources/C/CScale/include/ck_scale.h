#pragma once

// Makes a picture of another size from rows that come one by one: Lanczos' filter of three lobes, each side by itself,
// as many rows kept as one target row is made of and no more.

#include <stddef.h>
#include <stdint.h>

#include "ck_widest_loops.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CK_SCALE_MOST_PLANES = 4, CK_SCALE_MOST_SIDE = 65535 };

// Rows have so many bytes of room behind their samples: loops read and write whole registers.
enum { CK_SCALE_SPARE = 64 };

// What the planes are, and so how their samples become blue, green, red and alpha.
typedef enum ck_scale_colours {
    CK_SCALE_GREY,           // one plane
    CK_SCALE_YCC,            // full-range BT.601 luma and colour differences
    CK_SCALE_RGB,            // red, green, blue
    CK_SCALE_CMYK,           // four planes of ink
    CK_SCALE_YCCK,           // cyan, magenta and yellow as luma and colour differences, and black
    CK_SCALE_BGR,            // blue, green, red; fed as pixels
    CK_SCALE_BGRA,           // the same and alpha, by which colours are weighted; fed as pixels
} ck_scale_colours;

// Samples of one kind. The last row and column may stand for fewer pixels than the others, where the picture ends.
typedef struct ck_scale_plane_shape {
    int width, height;                // samples
    double pixels_across, pixels_down;  // picture pixels that a sample stands for
    int batch;                        // rows that come together
} ck_scale_plane_shape;

typedef struct ck_scale_plan {
    int picture_width, picture_height;
    double x, y, width, height;       // the part of the picture that fills the target, in its pixels
    int target_width, target_height;
    ck_scale_colours colours;
    int plane_count;
    ck_scale_plane_shape planes[CK_SCALE_MOST_PLANES];
    int is_linear;                    // BGR and BGRA alone: mixes light instead of sRGB's numbers for it
    int is_inverted;                  // CMYK and YCCK alone: 255 is no ink
    // Samples are averaged in groups beforehand, where so many are left for a target pixel along each side.
    double least_ratio;
    ck_widest_loops loops;
} ck_scale_plan;

// What becomes of a picture.
typedef struct ck_scale_wish {
    double x, y, width, height;       // as in a plan
    int target_width, target_height;
    int is_linear;
    double least_ratio;
    ck_widest_loops loops;
} ck_scale_wish;

// A plan of a wish; colours and planes are still to be named.
ck_scale_plan ck_scale_plan_of(const ck_scale_wish *_Nonnull wish, int picture_width, int picture_height);

typedef struct ck_scaler ck_scaler;

// Null where there is no memory, or the plan makes no sense.
ck_scaler *_Nullable ck_scaler_make(const ck_scale_plan *_Nonnull plan);
void ck_scaler_free(ck_scaler *_Nullable scaler);

// Where the plane's next rows go, `ahead` rows from the next one, less than a batch; room for the samples and the spare
// bytes. Rows below the picture's last one go nowhere.
uint8_t *_Nonnull ck_scaler_slot(ck_scaler *_Nonnull scaler, int plane, int ahead);
// Says that rows have been written to their slots.
void ck_scaler_commit(ck_scaler *_Nonnull scaler, int plane, int rows);

// The next row of blue, green, red and alpha, where colours are fed as pixels.
void ck_scaler_feed_pixels(ck_scaler *_Nonnull scaler, const uint8_t *_Nonnull bgra);

// The same of a row of luma, one of U and one of V, full-range BT.601, where light is mixed and there is no alpha; with
// spare bytes behind them, whatever these are.
void ck_scaler_feed_ycc(ck_scaler *_Nonnull scaler, const uint8_t *_Nonnull const *_Nonnull samples);

// Makes all target rows that can be made of the rows that came, into rows of blue, green, red, alpha; 1 when the last
// one is made.
int ck_scaler_draw(ck_scaler *_Nonnull scaler, uint8_t *_Nonnull target, size_t stride);

// Makes a whole picture of pixels in memory; 0 where there is no memory or the wish makes no sense. Colours are weighted
// by alpha where any pixel is not opaque.
int ck_scale_pixels(const uint8_t *_Nonnull bgra, size_t stride, int width, int height,
                    const ck_scale_wish *_Nonnull wish, uint8_t *_Nonnull target, size_t target_stride);

#ifdef __cplusplus
}
#endif
