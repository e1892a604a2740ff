#include "ck_convert.h"

#include <stdlib.h>
#include <string.h>

#include "ck_convert_loops.h"

// Two rows on their way: luma and chroma, or colours that become them.
typedef struct work {
    const ck_pixels_picture *picture;
    const ck_convert_target *target;
    const ck_convert_loops *loops;
    ck_fixed fixed;
    int changes;        // matrix or range
    size_t half;        // samples of chroma in a row; luma has twice as many, the last one repeated
    uint8_t *memory;
    uint8_t *y[2];
    uint8_t *u[2], *v[2];
    uint8_t *red[2], *green[2], *blue[2];
} work;

static int is_rgb(ck_pixels_samples samples) { return samples >= CK_PIXELS_RGB; }
static int is_packed(ck_pixels_samples samples) { return samples == CK_PIXELS_YUYV || samples == CK_PIXELS_UYVY; }

// Whether both rows share their chroma.
static int has_quarter_chroma(ck_pixels_samples samples) { return !is_packed(samples); }

static int prepare(work *w) {
    size_t row = 2 * w->half;
    w->memory = malloc(12 * row);
    if (!w->memory) return 0;
    uint8_t *next = w->memory;
    for (int i = 0; i < 2; i++) {
        uint8_t **rows[] = {&w->y[i], &w->u[i], &w->v[i], &w->red[i], &w->green[i], &w->blue[i]};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++, next += row) *rows[k] = next;
    }
    return 1;
}

static const uint8_t *row_of(const work *w, int plane, int row) {
    return w->picture->planes[plane] + (size_t)row * w->picture->strides[plane];
}

// MARK: - In

static void repeat_last(const work *w, uint8_t *row) {
    size_t width = (size_t)w->picture->width;
    if (width & 1) row[width] = row[width - 1];
}

static void load_packed(work *w, int row, int i) {
    const uint8_t *from = row_of(w, 0, row);
    size_t luma_at = w->picture->samples == CK_PIXELS_UYVY;
    for (size_t x = 0; x < w->half; x++, from += 4) {
        w->y[i][2 * x] = from[luma_at];
        w->y[i][2 * x + 1] = from[luma_at + 2];
        w->u[i][x] = from[1 - luma_at];
        w->v[i][x] = from[3 - luma_at];
    }
    repeat_last(w, w->y[i]);
}

static void load_luma(work *w, int row, int i) {
    memcpy(w->y[i], row_of(w, 0, row), (size_t)w->picture->width);
    repeat_last(w, w->y[i]);
}

static void load_chroma(work *w, int row) {
    if (w->picture->samples == CK_PIXELS_GREY) {
        memset(w->u[0], 128, w->half);
        memset(w->v[0], 128, w->half);
    } else if (w->picture->samples == CK_PIXELS_PLANAR) {
        memcpy(w->u[0], row_of(w, 1, row), w->half);
        memcpy(w->v[0], row_of(w, 2, row), w->half);
    } else {
        const uint8_t *from = row_of(w, 1, row);
        for (size_t x = 0; x < w->half; x++) {
            w->u[0][x] = from[2 * x];
            w->v[0][x] = from[2 * x + 1];
        }
    }
}

static void load_colours(work *w, int row, int i) {
    const uint8_t *from = row_of(w, 0, row);
    size_t size = w->picture->samples == CK_PIXELS_BGRX ? 4 : 3, first_red = w->picture->samples == CK_PIXELS_RGB;
    size_t red = first_red ? 0 : 2, blue = 2 - red, width = (size_t)w->picture->width;
    for (size_t x = 0; x < width; x++, from += size) {
        w->red[i][x] = from[red];
        w->green[i][x] = from[1];
        w->blue[i][x] = from[blue];
    }
    repeat_last(w, w->red[i]);
    repeat_last(w, w->green[i]);
    repeat_last(w, w->blue[i]);
}

// MARK: - On the way

static void mix_colours(work *w, int count) {
    const ck_convert_loops *loops = w->loops;
    for (int i = 0; i < count; i++)
        loops->mix(&w->fixed.out[0], w->red[i], w->green[i], w->blue[i], 2 * w->half, w->y[i]);
    if (w->target->samples == CK_PIXELS_GREY) return;
    uint8_t **chroma[] = {w->u, w->v};
    for (int k = 0; k < 2; k++) {
        const ck_fixed_row *row = &w->fixed.out[k + 1];
        if (has_quarter_chroma(w->target->samples)) {
            // The row below an odd last one repeats it.
            int last = count - 1;
            const ck_samples red[] = {w->red[0], w->red[last]}, green[] = {w->green[0], w->green[last]};
            const ck_samples blue[] = {w->blue[0], w->blue[last]};
            loops->mix_squares(row, red, green, blue, w->half, chroma[k][0]);
        } else {
            for (int i = 0; i < count; i++)
                loops->mix_pairs(row, w->red[i], w->green[i], w->blue[i], w->half, chroma[k][i]);
        }
    }
}

static void change(work *w, int count, int chroma_count) {
    for (int i = 0; i < count; i++) {
        int k = i < chroma_count ? i : chroma_count - 1;
        w->loops->change_luma(&w->fixed.out[0], w->u[k], w->v[k], 2 * w->half, w->y[i]);
    }
    for (int k = 0; k < chroma_count; k++) w->loops->change_chroma(&w->fixed, w->half, w->u[k], w->v[k]);
}

static void average_rows(work *w) {
    for (size_t x = 0; x < w->half; x++) {
        w->u[0][x] = (uint8_t)((w->u[0][x] + w->u[1][x] + 1) / 2);
        w->v[0][x] = (uint8_t)((w->v[0][x] + w->v[1][x] + 1) / 2);
    }
}

static void load(work *w, int top, int count) {
    ck_pixels_samples samples = w->picture->samples;
    if (is_rgb(samples)) {
        for (int i = 0; i < count; i++) load_colours(w, top + i, i);
        mix_colours(w, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (is_packed(samples)) load_packed(w, top + i, i);
        else load_luma(w, top + i, i);
    }
    if (!is_packed(samples)) load_chroma(w, top / 2);
    int chroma_count = is_packed(samples) ? count : 1;
    if (w->changes) change(w, count, chroma_count);
    if (chroma_count == 2 && has_quarter_chroma(w->target->samples)) average_rows(w);
}

// MARK: - Out

static uint8_t *place_of(const work *w, int plane, int row) {
    return w->target->planes[plane] + (size_t)row * w->target->strides[plane];
}

static void store_packed(const work *w, int row, int i) {
    uint8_t *to = place_of(w, 0, row);
    size_t luma_at = w->target->samples == CK_PIXELS_UYVY;
    // Two rows have one row of chroma where the picture has no more.
    int k = is_packed(w->picture->samples) || is_rgb(w->picture->samples) ? i : 0;
    for (size_t x = 0; x < w->half; x++, to += 4) {
        to[luma_at] = w->y[i][2 * x];
        to[luma_at + 2] = w->y[i][2 * x + 1];
        to[1 - luma_at] = w->u[k][x];
        to[3 - luma_at] = w->v[k][x];
    }
}

static void store_chroma(const work *w, int row) {
    uint8_t *to = place_of(w, 1, row);
    if (w->target->samples == CK_PIXELS_PLANAR) {
        memcpy(to, w->u[0], w->half);
        memcpy(place_of(w, 2, row), w->v[0], w->half);
        return;
    }
    for (size_t x = 0; x < w->half; x++) {
        to[2 * x] = w->u[0][x];
        to[2 * x + 1] = w->v[0][x];
    }
}

static void store(const work *w, int top, int count) {
    ck_pixels_samples samples = w->target->samples;
    for (int i = 0; i < count; i++) {
        if (is_packed(samples)) store_packed(w, top + i, i);
        else memcpy(place_of(w, 0, top + i), w->y[i], (size_t)w->picture->width);
    }
    if (samples == CK_PIXELS_SEMI_PLANAR || samples == CK_PIXELS_PLANAR) store_chroma(w, top / 2);
}

int ck_convert(const ck_pixels_picture *picture, const ck_convert_target *target, ck_widest_loops loops) {
    if (is_rgb(target->samples)) return 0;
    ck_colour_matrix matrix = is_rgb(picture->samples) ? ck_colour_from_rgb(target->meaning)
                                                       : ck_colour_between(picture->meaning, target->meaning);
    work w = {
        .picture = picture,
        .target = target,
        .loops = ck_convert_loops_for(loops),
        .fixed = ck_fixed_of(&matrix),
        .changes = !ck_colour_is_same(picture->meaning, target->meaning),
        .half = ((size_t)picture->width + 1) / 2,
    };
    if (!prepare(&w)) return 0;
    for (int top = 0; top < picture->height; top += 2) {
        int count = top + 1 < picture->height ? 2 : 1;
        load(&w, top, count);
        store(&w, top, count);
    }
    free(w.memory);
    return 1;
}
