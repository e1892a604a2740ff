#include "ck_bgra.h"

// Products keep five bits of fraction: samples stand in the high byte of 16 bits, and gains are parts of 2^13.
enum { FRACTION = 5, GAIN = 1 << 13, PIXELS_AT_ONCE = 16 };

typedef struct colour {
    uint16_t luma;
    int16_t black;  // taken off luma, with the half that rounds
    int16_t u_blue, u_green, v_green, v_red;
} colour;

// Where a row's samples are: `chroma` has the pairs, or U, and `v` is null.
typedef struct row {
    const uint8_t *luma, *chroma, *v;
} row;

typedef void (*row_loop)(const row *from, size_t count, const colour *c, uint8_t *bgra);

static int16_t gain(double value) { return (int16_t)(value * GAIN + (value < 0 ? -0.5 : 0.5)); }

static colour colour_of(const ck_pixels_picture *picture) {
    ck_colour_gains g = ck_colour_gains_of(picture->meaning);
    return (colour){
        .luma = (uint16_t)gain(g.luma),
        .black = (int16_t)(g.black * g.luma * (1 << FRACTION) + 0.5 - (1 << (FRACTION - 1))),
        .u_blue = gain(g.u_blue),
        .u_green = gain(-g.u_green),
        .v_green = gain(-g.v_green),
        .v_red = gain(g.v_red),
    };
}

// MARK: - Portable

static inline int high(int a, int b) { return (a * b) >> 16; }

static inline uint8_t clamped(int value) {
    value >>= FRACTION;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static inline void pixel(int y, int u, int v, const colour *c, uint8_t *bgra) {
    int luma = (int)(((uint32_t)y << 8) * c->luma >> 16) - c->black;
    int cb = (u - 128) * 256, cr = (v - 128) * 256;
    bgra[0] = clamped(luma + high(cb, c->u_blue));
    bgra[1] = clamped(luma + high(cb, c->u_green) + high(cr, c->v_green));
    bgra[2] = clamped(luma + high(cr, c->v_red));
    bgra[3] = 255;
}

static inline void packed_row(const row *from, size_t count, const colour *c, uint8_t *bgra, int luma_at) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pair = from->luma + x / 2 * 4;
        pixel(pair[luma_at + 2 * (x & 1)], pair[1 - luma_at], pair[3 - luma_at], c, bgra + 4 * x);
    }
}
static void yuyv_row(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    packed_row(from, count, c, bgra, 0);
}
static void uyvy_row(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    packed_row(from, count, c, bgra, 1);
}
static void semi_planar_row(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pair = from->chroma + x / 2 * 2;
        pixel(from->luma[x], pair[0], pair[1], c, bgra + 4 * x);
    }
}
static void planar_row(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    for (size_t x = 0; x < count; x++)
        pixel(from->luma[x], from->chroma[x / 2], from->v[x / 2], c, bgra + 4 * x);
}

static const row_loop portable_rows[] = {yuyv_row, uyvy_row, semi_planar_row, planar_row};

// MARK: - AVX2

#if defined(__x86_64__)

#include <immintrin.h>

#define CK_AVX2 __attribute__((target("avx2")))

typedef struct gains {
    __m256i luma, black, u_blue, u_green, v_green, v_red;
} gains;

CK_AVX2 static inline gains gains_of(const colour *c) {
    return (gains){
        _mm256_set1_epi16((short)c->luma), _mm256_set1_epi16(c->black), _mm256_set1_epi16(c->u_blue),
        _mm256_set1_epi16(c->u_green), _mm256_set1_epi16(c->v_green), _mm256_set1_epi16(c->v_red),
    };
}

// Sixteen pixels, each sample in the high byte of a word. The lanes hold pixels 0 to 3 and 8 to 11, and 4 to 7 and 12
// to 15, so that what the last step interleaves within lanes lies in order.
CK_AVX2 static inline void pixels_256(__m256i luma, __m256i u, __m256i v, const gains *g, uint8_t *bgra) {
    const __m256i sign = _mm256_set1_epi16((short)0x8000);
    __m256i y = _mm256_sub_epi16(_mm256_mulhi_epu16(luma, g->luma), g->black);
    u = _mm256_xor_si256(u, sign);
    v = _mm256_xor_si256(v, sign);
    __m256i green = _mm256_add_epi16(_mm256_mulhi_epi16(u, g->u_green), _mm256_mulhi_epi16(v, g->v_green));
    __m256i b = _mm256_srai_epi16(_mm256_add_epi16(y, _mm256_mulhi_epi16(u, g->u_blue)), FRACTION);
    __m256i r = _mm256_srai_epi16(_mm256_add_epi16(y, _mm256_mulhi_epi16(v, g->v_red)), FRACTION);
    green = _mm256_srai_epi16(_mm256_add_epi16(y, green), FRACTION);
    __m256i br = _mm256_packus_epi16(b, r), ga = _mm256_packus_epi16(green, _mm256_set1_epi16(255));
    __m256i bg = _mm256_unpacklo_epi8(br, ga), ra = _mm256_unpackhi_epi8(br, ga);
    _mm256_storeu_si256((__m256i *)bgra, _mm256_unpacklo_epi16(bg, ra));
    _mm256_storeu_si256((__m256i *)(bgra + 32), _mm256_unpackhi_epi16(bg, ra));
}

// Picks bytes into the high bytes of words; -1 is zero.
#define CK_HIGH(a, b, c, d, e, f, g, h) -1, a, -1, b, -1, c, -1, d, -1, e, -1, f, -1, g, -1, h

// The same sixteen bytes in both lanes; bytes are picked from there.
CK_AVX2 static inline __m256i twice(const uint8_t *from) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

CK_AVX2 static inline __m256i luma_of(const uint8_t *from) {
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 1, 2, 3, 8, 9, 10, 11),
                                            CK_HIGH(4, 5, 6, 7, 12, 13, 14, 15));
    return _mm256_shuffle_epi8(twice(from), places);
}

// Packed samples in the order of the lanes.
CK_AVX2 static inline __m256i packed_samples(const uint8_t *from) {
    return _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)from), 0xD8);
}

CK_AVX2 static void yuyv_avx2(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    gains g = gains_of(c);
    const __m256i u = _mm256_setr_epi8(CK_HIGH(1, 1, 5, 5, 9, 9, 13, 13), CK_HIGH(1, 1, 5, 5, 9, 9, 13, 13));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(3, 3, 7, 7, 11, 11, 15, 15), CK_HIGH(3, 3, 7, 7, 11, 11, 15, 15));
    for (size_t x = 0; x < count; x += PIXELS_AT_ONCE) {
        __m256i samples = packed_samples(from->luma + 2 * x);
        pixels_256(_mm256_slli_epi16(samples, 8), _mm256_shuffle_epi8(samples, u),
                   _mm256_shuffle_epi8(samples, v), &g, bgra + 4 * x);
    }
}

CK_AVX2 static void uyvy_avx2(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    gains g = gains_of(c);
    const __m256i odd = _mm256_set1_epi16((short)0xFF00);
    const __m256i u = _mm256_setr_epi8(CK_HIGH(0, 0, 4, 4, 8, 8, 12, 12), CK_HIGH(0, 0, 4, 4, 8, 8, 12, 12));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(2, 2, 6, 6, 10, 10, 14, 14), CK_HIGH(2, 2, 6, 6, 10, 10, 14, 14));
    for (size_t x = 0; x < count; x += PIXELS_AT_ONCE) {
        __m256i samples = packed_samples(from->luma + 2 * x);
        pixels_256(_mm256_and_si256(samples, odd), _mm256_shuffle_epi8(samples, u),
                   _mm256_shuffle_epi8(samples, v), &g, bgra + 4 * x);
    }
}

CK_AVX2 static void semi_planar_avx2(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    gains g = gains_of(c);
    const __m256i u = _mm256_setr_epi8(CK_HIGH(0, 0, 2, 2, 8, 8, 10, 10), CK_HIGH(4, 4, 6, 6, 12, 12, 14, 14));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(1, 1, 3, 3, 9, 9, 11, 11), CK_HIGH(5, 5, 7, 7, 13, 13, 15, 15));
    for (size_t x = 0; x < count; x += PIXELS_AT_ONCE) {
        __m256i pairs = twice(from->chroma + x);
        pixels_256(luma_of(from->luma + x), _mm256_shuffle_epi8(pairs, u), _mm256_shuffle_epi8(pairs, v), &g,
                   bgra + 4 * x);
    }
}

CK_AVX2 static void planar_avx2(const row *from, size_t count, const colour *c, uint8_t *bgra) {
    gains g = gains_of(c);
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 0, 1, 1, 4, 4, 5, 5), CK_HIGH(2, 2, 3, 3, 6, 6, 7, 7));
    for (size_t x = 0; x < count; x += PIXELS_AT_ONCE) {
        __m256i u = _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(from->chroma + x / 2)));
        __m256i v = _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(from->v + x / 2)));
        pixels_256(luma_of(from->luma + x), _mm256_shuffle_epi8(u, places), _mm256_shuffle_epi8(v, places), &g,
                   bgra + 4 * x);
    }
}

static const row_loop avx2_rows[] = {yuyv_avx2, uyvy_avx2, semi_planar_avx2, planar_avx2};

static const row_loop *fast_rows(void) { return __builtin_cpu_supports("avx2") ? avx2_rows : NULL; }

#else

static const row_loop *fast_rows(void) { return NULL; }

#endif

// MARK: - Pictures

static row advanced(row from, ck_pixels_samples samples, size_t x) {
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

void ck_bgra_convert(const ck_pixels_picture *picture, uint8_t *bgra, size_t stride, ck_bgra_loops loops) {
    if (picture->samples > CK_PIXELS_PLANAR) return;
    const colour c = colour_of(picture);
    const row_loop *fast = loops == CK_BGRA_BEST_LOOPS ? fast_rows() : NULL;
    size_t width = (size_t)picture->width, whole = fast ? width / PIXELS_AT_ONCE * PIXELS_AT_ONCE : 0;
    for (int y = 0; y < picture->height; y++) {
        size_t chroma_row = (size_t)y / 2;
        row from = {
            .luma = picture->planes[0] + (size_t)y * picture->strides[0],
            .chroma = picture->planes[1] ? picture->planes[1] + chroma_row * picture->strides[1] : NULL,
            .v = picture->planes[2] ? picture->planes[2] + chroma_row * picture->strides[2] : NULL,
        };
        uint8_t *out = bgra + (size_t)y * stride;
        if (whole) fast[picture->samples](&from, whole, &c, out);
        from = advanced(from, picture->samples, whole);
        portable_rows[picture->samples](&from, width - whole, &c, out + 4 * whole);
    }
}
