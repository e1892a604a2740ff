#include <math.h>
#include <string.h>

#include "ck_pixels_loops.h"

static inline uint8_t mixed(uint8_t a, uint8_t b, int weight) {
    return (uint8_t)((a * (CK_WHOLE - weight) + b * weight + CK_WHOLE / 2) / CK_WHOLE);
}

// MARK: - Two rows become one

static void blend(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *out) {
    for (size_t i = 0; i < count; i++) out[i] = mixed(a[i], b[i], weight);
}

static void blend_pairs(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *u, uint8_t *v) {
    for (size_t i = 0; i < count; i++) {
        u[i] = mixed(a[2 * i], b[2 * i], weight);
        v[i] = mixed(a[2 * i + 1], b[2 * i + 1], weight);
    }
}

// `luma_at` is where the first luma sample of a pair lies: 0 for YUYV, 1 for UYVY.
static inline void blend_packed(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                                uint8_t *u, uint8_t *v, int luma_at) {
    for (size_t i = 0; i < count; i++, a += 4, b += 4) {
        y[2 * i] = mixed(a[luma_at], b[luma_at], weight);
        y[2 * i + 1] = mixed(a[luma_at + 2], b[luma_at + 2], weight);
        u[i] = mixed(a[1 - luma_at], b[1 - luma_at], weight);
        v[i] = mixed(a[3 - luma_at], b[3 - luma_at], weight);
    }
}

static void blend_yuyv(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y, uint8_t *u,
                       uint8_t *v) {
    blend_packed(a, b, weight, count, y, u, v, 0);
}

static void blend_uyvy(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y, uint8_t *u,
                       uint8_t *v) {
    blend_packed(a, b, weight, count, y, u, v, 1);
}

static inline void blend_pixels(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *first,
                                uint8_t *second, uint8_t *third, int size) {
    for (size_t i = 0; i < count; i++, a += size, b += size) {
        first[i] = mixed(a[0], b[0], weight);
        second[i] = mixed(a[1], b[1], weight);
        third[i] = mixed(a[2], b[2], weight);
    }
}

static void blend_bgrx(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *blue,
                       uint8_t *green, uint8_t *red) {
    blend_pixels(a, b, weight, count, blue, green, red, 4);
}

void ck_blend_bgr(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *first,
                  uint8_t *second, uint8_t *third) {
    blend_pixels(a, b, weight, count, first, second, third, 3);
}

// MARK: - Averages, for small targets

// A quotient rounded to the nearest: exact for sums of up to 128 samples.
static inline uint8_t average(uint32_t sum, uint32_t count, uint32_t inverse) {
    return (uint8_t)((sum + count / 2) * inverse >> 16);
}

static inline uint32_t inverse_of(int count) { return (uint32_t)((65536 + count - 1) / count); }

void ck_average_rows(const uint8_t *rows, size_t stride, int row_count, size_t count, uint16_t *sums,
                     uint8_t *out) {
    memset(sums, 0, count * sizeof *sums);
    for (int row = 0; row < row_count; row++, rows += stride)
        for (size_t i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + rows[i]);
    uint32_t inverse = inverse_of(row_count);
    for (size_t i = 0; i < count; i++) out[i] = average(sums[i], (uint32_t)row_count, inverse);
}

void ck_average_neighbours(uint8_t *samples, size_t sample_count, int shrink, size_t group_count) {
    size_t size = (size_t)shrink, whole = sample_count / size;
    uint32_t inverse = inverse_of(shrink);
    if (shrink == 2)
        for (size_t i = 0; i < whole; i++)
            samples[i] = (uint8_t)((samples[2 * i] + samples[2 * i + 1] + 1) / 2);
    else
        for (size_t i = 0; i < whole; i++) {
            uint32_t sum = 0;
            for (size_t k = 0; k < size; k++) sum += samples[i * size + k];
            samples[i] = average(sum, (uint32_t)shrink, inverse);
        }
    if (whole == group_count) return;
    int rest = (int)(sample_count - whole * size);
    uint32_t sum = 0;
    for (int k = 0; k < rest; k++) sum += samples[whole * size + (size_t)k];
    samples[whole] = average(sum, (uint32_t)rest, inverse_of(rest));
}

// MARK: - Colours

static inline int32_t scaled(int32_t value, int32_t gain) { return (value * gain + (1 << 14)) >> 15; }

static int16_t gain(double factor) { return (int16_t)lround(factor * (1 << 13)); }

ck_colour ck_colour_for(const ck_pixels_picture *picture) {
    if (picture->samples >= CK_PIXELS_RGB) return (ck_colour){.is_direct = 1};
    ck_colour_gains g = ck_colour_gains_of(picture->meaning);
    ck_colour colour = {
        .y = gain(g.luma),
        .u_blue = gain(g.u_blue),
        .u_green = gain(g.u_green),
        .v_green = gain(g.v_green),
        .v_red = gain(g.v_red),
    };
    // Half a step rounds the fraction away; what chroma's middle adds is taken off exactly, so that grey stays grey.
    int32_t black = scaled((int32_t)g.black * CK_WHOLE, colour.y), middle = 128 * CK_WHOLE;
    colour.blue = (int16_t)(8 - black - scaled(middle, colour.u_blue));
    colour.red = (int16_t)(8 - black - scaled(middle, colour.v_red));
    colour.green = (int16_t)(8 - black + scaled(middle, colour.u_green) + scaled(middle, colour.v_green));
    return colour;
}

static inline uint8_t clamped(int32_t value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

static inline int32_t sample(const uint8_t *row, const ck_table *table, int at, int first) {
    const uint8_t *from = row + (table->index[at] - first);
    int weight = table->weight[at], third = table->third[at];
    return from[0] * (CK_WHOLE - weight - third) + from[1] * weight + from[2] * third;
}

static void draw(const ck_piece *piece) {
    const ck_colour c = *piece->colour;
    uint8_t *out = piece->out;
    for (int i = piece->from; i < piece->from + piece->count; i++, out += 4) {
        int32_t y = sample(piece->y, piece->luma, i, piece->first_luma);
        int32_t u = sample(piece->u, piece->chroma, i, piece->first_chroma);
        int32_t v = sample(piece->v, piece->chroma, i, piece->first_chroma);
        if (c.is_direct) {
            out[0] = (uint8_t)((u + CK_WHOLE / 2) / CK_WHOLE);
            out[1] = (uint8_t)((y + CK_WHOLE / 2) / CK_WHOLE);
            out[2] = (uint8_t)((v + CK_WHOLE / 2) / CK_WHOLE);
        } else {
            int32_t light = scaled(y, c.y);
            out[0] = clamped((light + scaled(u, c.u_blue) + c.blue) >> 4);
            out[1] = clamped((light - scaled(u, c.u_green) - scaled(v, c.v_green) + c.green) >> 4);
            out[2] = clamped((light + scaled(v, c.v_red) + c.red) >> 4);
        }
        out[3] = 255;
    }
}

static void transpose(const uint32_t *tile, size_t pixels_a_row, int rows, int columns, uint8_t *target,
                      size_t stride) {
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < rows; row++)
            memcpy(target + (size_t)column * stride + 4 * (size_t)row, tile + (size_t)row * pixels_a_row + column,
                   sizeof *tile);
}

const ck_loops ck_portable_loops = {
    blend, blend_pairs, blend_yuyv, blend_uyvy, blend_bgrx, draw, transpose,
};
