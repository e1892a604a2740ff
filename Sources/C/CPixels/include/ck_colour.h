#pragma once

// What luma and chroma samples stand for: the one place where a matrix and a range become numbers. Loops elsewhere
// only bring these numbers to the form that they multiply by.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// By how much red and blue make luma: ITU-R BT.601, BT.709 and BT.2020 (non-constant luminance). Green is the rest.
#define CK_BT601_RED_WEIGHT 0.299
#define CK_BT601_BLUE_WEIGHT 0.114
#define CK_BT709_RED_WEIGHT 0.2126
#define CK_BT709_BLUE_WEIGHT 0.0722
#define CK_BT2020_RED_WEIGHT 0.2627
#define CK_BT2020_BLUE_WEIGHT 0.0593

// The weights by which red and blue make luma, and the range of the samples.
typedef struct ck_colour_meaning {
    double red_weight, blue_weight;
    int limited_range;
} ck_colour_meaning;

// Y, U, V less `black`, 128, 128 to colours: R = luma Y + v_red V, G = luma Y - u_green U - v_green V,
// B = luma Y + u_blue U.
typedef struct ck_colour_gains {
    double luma, u_blue, u_green, v_green, v_red;
    double black;
} ck_colour_gains;

// Three samples to three others, all 0 to 255.
typedef struct ck_colour_matrix {
    double gain[3][3];
    double offset[3];
} ck_colour_matrix;

// What JPEG means by its samples (JFIF 1.02): BT.601, full range.
extern const ck_colour_meaning ck_colour_jpeg;

// Its gains in parts of 2^14, for loops that multiply by constants.
#define CK_JPEG_PARTS(gain) ((int32_t)((gain) * (1 << 14) + 0.5))
#define CK_JPEG_GREEN_WEIGHT (1 - CK_BT601_RED_WEIGHT - CK_BT601_BLUE_WEIGHT)
static const int32_t ck_jpeg_u_blue = CK_JPEG_PARTS(2 * (1 - CK_BT601_BLUE_WEIGHT));
static const int32_t ck_jpeg_v_red = CK_JPEG_PARTS(2 * (1 - CK_BT601_RED_WEIGHT));
static const int32_t ck_jpeg_u_green =
    CK_JPEG_PARTS(2 * (1 - CK_BT601_BLUE_WEIGHT) * CK_BT601_BLUE_WEIGHT / CK_JPEG_GREEN_WEIGHT);
static const int32_t ck_jpeg_v_green =
    CK_JPEG_PARTS(2 * (1 - CK_BT601_RED_WEIGHT) * CK_BT601_RED_WEIGHT / CK_JPEG_GREEN_WEIGHT);

ck_colour_gains ck_colour_gains_of(ck_colour_meaning meaning);

// From Y, U, V to Y, U, V.
ck_colour_matrix ck_colour_between(ck_colour_meaning from, ck_colour_meaning to);

// From R, G, B to Y, U, V.
ck_colour_matrix ck_colour_from_rgb(ck_colour_meaning to);

// Whether samples of both are the same for all colours.
int ck_colour_is_same(ck_colour_meaning one, ck_colour_meaning other);

#ifdef __cplusplus
}
#endif
