#include "ck_bgra.h"

#include "ck_bgra_rows.h"

static int16_t gain(double value) { return (int16_t)(value * CK_BGRA_GAIN + (value < 0 ? -0.5 : 0.5)); }

static ck_bgra_colour colour_of(const ck_pixels_picture *picture) {
    ck_colour_gains g = ck_colour_gains_of(picture->meaning);
    return (ck_bgra_colour){
        .luma = (uint16_t)gain(g.luma),
        .black = (int16_t)(g.black * g.luma * (1 << CK_BGRA_FRACTION) + 0.5 - (1 << (CK_BGRA_FRACTION - 1))),
        .u_blue = gain(g.u_blue),
        .u_green = gain(-g.u_green),
        .v_green = gain(-g.v_green),
        .v_red = gain(g.v_red),
    };
}

// MARK: - Portable

static inline int high(int a, int b) { return (a * b) >> 16; }

static inline uint8_t clamped(int value) {
    value >>= CK_BGRA_FRACTION;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static inline void pixel(int y, int u, int v, const ck_bgra_colour *c, uint8_t *bgra) {
    int luma = (int)(((uint32_t)y << 8) * c->luma >> 16) - c->black;
    int cb = (u - 128) * 256, cr = (v - 128) * 256;
    bgra[0] = clamped(luma + high(cb, c->u_blue));
    bgra[1] = clamped(luma + high(cb, c->u_green) + high(cr, c->v_green));
    bgra[2] = clamped(luma + high(cr, c->v_red));
    bgra[3] = 255;
}

static inline void packed_row(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra, int luma_at) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pair = from->luma + x / 2 * 4;
        pixel(pair[luma_at + 2 * (x & 1)], pair[1 - luma_at], pair[3 - luma_at], c, bgra + 4 * x);
    }
}
static void yuyv_row(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra) {
    packed_row(from, count, c, bgra, 0);
}
static void uyvy_row(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra) {
    packed_row(from, count, c, bgra, 1);
}
static void semi_planar_row(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pair = from->chroma + x / 2 * 2;
        pixel(from->luma[x], pair[0], pair[1], c, bgra + 4 * x);
    }
}
static void planar_row(const ck_bgra_row *from, size_t count, const ck_bgra_colour *c, uint8_t *bgra) {
    for (size_t x = 0; x < count; x++)
        pixel(from->luma[x], from->chroma[x / 2], from->v[x / 2], c, bgra + 4 * x);
}

static const ck_bgra_rows portable = {1, {yuyv_row, uyvy_row, semi_planar_row, planar_row}};

// MARK: - Pictures

// The loops that the processor has, the widest first; ends with the portable ones.
static size_t rows_of(ck_widest_loops loops, const ck_bgra_rows *rows[3]) {
    size_t count = 0;
#if defined(__x86_64__)
    if (loops <= CK_AVX512_LOOPS && __builtin_cpu_supports("avx512bw")) rows[count++] = &ck_bgra_avx512;
    if (loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2")) rows[count++] = &ck_bgra_avx2;
#endif
    (void)loops;
    rows[count++] = &portable;
    return count;
}

static ck_bgra_row advanced(ck_bgra_row from, ck_pixels_samples samples, size_t x) {
    switch (samples) {
    case CK_PIXELS_YUYV:
    case CK_PIXELS_UYVY: from.luma += 2 * x; break;
    case CK_PIXELS_SEMI_PLANAR:
        from.luma += x;
        from.chroma += x;
        break;
    case CK_PIXELS_PLANAR:
        from.luma += x;
        from.chroma += x / 2;
        from.v += x / 2;
        break;
    default: break;
    }
    return from;
}

void ck_bgra_convert(const ck_pixels_picture *picture, uint8_t *bgra, size_t stride, ck_widest_loops loops) {
    if (picture->samples > CK_PIXELS_PLANAR) return;
    const ck_bgra_colour c = colour_of(picture);
    const ck_bgra_rows *rows[3];
    size_t count = rows_of(loops, rows);
    for (int y = 0; y < picture->height; y++) {
        size_t chroma_row = (size_t)y / 2;
        ck_bgra_row from = {
            .luma = picture->planes[0] + (size_t)y * picture->strides[0],
            .chroma = picture->planes[1] ? picture->planes[1] + chroma_row * picture->strides[1] : NULL,
            .v = picture->planes[2] ? picture->planes[2] + chroma_row * picture->strides[2] : NULL,
        };
        uint8_t *out = bgra + (size_t)y * stride;
        size_t left = (size_t)picture->width;
        for (size_t level = 0; level < count && left > 0; level++) {
            size_t whole = left / rows[level]->pixels * rows[level]->pixels;
            if (whole == 0) continue;
            rows[level]->loops[picture->samples](&from, whole, &c, out);
            from = advanced(from, picture->samples, whole);
            out += 4 * whole;
            left -= whole;
        }
    }
}
