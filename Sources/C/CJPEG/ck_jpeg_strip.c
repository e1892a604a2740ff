#include "ck_jpeg_strip.h"

#include <stdlib.h>
#include <string.h>

// What is of BT.601 only needs its range expanded.
static int is_bt601(const ck_jpeg_picture *picture) {
    ck_colour_meaning meaning = picture->meaning;
    meaning.limited_range = 0;
    return picture->samples == CK_JPEG_GREY || ck_colour_is_same(meaning, ck_colour_jpeg);
}

static int expands(const ck_jpeg_picture *picture) { return picture->meaning.limited_range && is_bt601(picture); }

int ck_strip_allocate(ck_strip *strip, const ck_jpeg_picture *picture, ck_widest_loops loops) {
    ck_colour_matrix matrix = ck_colour_between(picture->meaning, ck_colour_jpeg);
    strip->fixed = ck_fixed_of(&matrix);
    strip->converts = !is_bt601(picture);
    strip->loops = ck_rows_for(loops);
    strip->convert_loops = ck_convert_loops_for(loops);
    size_t width = (size_t)picture->width;
    int quarter = picture->samples == CK_JPEG_SEMI_PLANAR || picture->samples == CK_JPEG_PLANAR;
    int planes = picture->samples == CK_JPEG_GREY ? 1 : 3;
    size_t size = 0;
    for (int plane = 0; plane < planes; plane++) {
        strip->samples[plane] = plane ? (width + 1) / 2 : width;
        // Packed formats give an even number of luma samples; rows of whole pairs of blocks have room for it.
        strip->capacity[plane] = ((width + 31) / 32) * (plane ? 16 : 32);
        strip->rows_count[plane] = quarter && plane == 0 ? CK_STRIP_MOST_ROWS : DCTSIZE;
        size += strip->capacity[plane] * (size_t)strip->rows_count[plane];
    }
    strip->memory = malloc(size);
    return strip->memory != NULL;
}

// Points at the strip's own rows again, after `strip_repeat` has pointed elsewhere.
static void strip_aim(ck_strip *strip, int planes) {
    uint8_t *next = strip->memory;
    for (int plane = 0; plane < planes; plane++)
        for (int row = 0; row < strip->rows_count[plane]; row++, next += strip->capacity[plane])
            strip->rows[plane][row] = next;
}

// Rows and columns past the picture's edge repeat its last ones: they cost the fewest bytes and leave no seam.
static void strip_repeat(ck_strip *strip, int plane, int filled) {
    size_t samples = strip->samples[plane], rest = strip->capacity[plane] - samples;
    if (rest)
        for (int row = 0; row < filled; row++) {
            uint8_t *samples_of_row = strip->rows[plane][row];
            memset(samples_of_row + samples, samples_of_row[samples - 1], rest);
        }
    for (int row = filled; row < strip->rows_count[plane]; row++)
        strip->rows[plane][row] = strip->rows[plane][filled - 1];
}

static void fill_packed(ck_strip *strip, const ck_jpeg_picture *picture, int top, int count) {
    void (*split)(const uint8_t *, size_t, uint8_t *, uint8_t *, uint8_t *) =
        picture->samples == CK_JPEG_YUYV
            ? (expands(picture) ? strip->loops->split_expand_yuyv : strip->loops->split_yuyv)
            : (expands(picture) ? strip->loops->split_expand_uyvy : strip->loops->split_uyvy);
    for (int row = 0; row < count; row++)
        split(picture->planes[0] + (size_t)(top + row) * picture->strides[0], strip->samples[1],
              strip->rows[0][row], strip->rows[1][row], strip->rows[2][row]);
}

static void fill_luma(ck_strip *strip, const ck_jpeg_picture *picture, int top, int count) {
    for (int row = 0; row < count; row++) {
        const uint8_t *source = picture->planes[0] + (size_t)(top + row) * picture->strides[0];
        if (expands(picture))
            strip->loops->expand_luma(source, strip->samples[0], strip->rows[0][row]);
        else
            memcpy(strip->rows[0][row], source, strip->samples[0]);
    }
}

static void fill_chroma(ck_strip *strip, const ck_jpeg_picture *picture, int top, int count) {
    size_t samples = strip->samples[1];
    for (int row = 0; row < count; row++) {
        if (picture->samples == CK_JPEG_SEMI_PLANAR) {
            const uint8_t *source = picture->planes[1] + (size_t)(top + row) * picture->strides[1];
            (expands(picture) ? strip->loops->split_expand_chroma : strip->loops->split_chroma)(
                source, samples, strip->rows[1][row], strip->rows[2][row]);
            continue;
        }
        for (int plane = 1; plane < 3; plane++) {
            const uint8_t *source = picture->planes[plane] + (size_t)(top + row) * picture->strides[plane];
            if (expands(picture))
                strip->loops->expand_chroma(source, samples, strip->rows[plane][row]);
            else
                memcpy(strip->rows[plane][row], source, samples);
        }
    }
}

static int smaller(int a, int b) { return a < b ? a : b; }

// Matrix and range in one step. The row below an odd last one only repeats it, and is converted with it.
static void convert(ck_strip *strip, int luma_rows, int chroma_rows) {
    const ck_convert_loops *loops = strip->convert_loops;
    for (int row = 0; row < luma_rows; row++) {
        int chroma = luma_rows > chroma_rows ? row / 2 : row;
        loops->change_luma(&strip->fixed.out[0], strip->rows[1][chroma], strip->rows[2][chroma],
                           strip->samples[0], strip->rows[0][row]);
    }
    for (int row = 0; row < chroma_rows; row++)
        loops->change_chroma(&strip->fixed, strip->samples[1], strip->rows[1][row], strip->rows[2][row]);
}

// Fills the strip whose first luma row is `top`.
void ck_strip_fill(ck_strip *strip, const ck_jpeg_picture *picture, int top) {
    int luma = smaller(strip->rows_count[0], picture->height - top);
    if (picture->samples == CK_JPEG_GREY) {
        strip_aim(strip, 1);
        fill_luma(strip, picture, top, luma);
        strip_repeat(strip, 0, luma);
        return;
    }
    strip_aim(strip, 3);
    int chroma = luma;
    if (picture->samples == CK_JPEG_YUYV || picture->samples == CK_JPEG_UYVY) {
        fill_packed(strip, picture, top, luma);
    } else {
        chroma = (luma + 1) / 2;
        fill_luma(strip, picture, top, luma);
        fill_chroma(strip, picture, top / 2, chroma);
    }
    // Before what lies past the edge repeats it.
    if (strip->converts) convert(strip, luma, chroma);
    strip_repeat(strip, 0, luma);
    strip_repeat(strip, 1, chroma);
    strip_repeat(strip, 2, chroma);
}
