#include "ck_pixels_loops.h"

#if defined(__x86_64__)

#include <string.h>
#include <tmmintrin.h>

#define CK_SSSE3 __attribute__((target("ssse3")))

CK_SSSE3 static inline __m128i load(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)from); }
CK_SSSE3 static inline void store(uint8_t *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }
CK_SSSE3 static inline void store_half(uint8_t *to, __m128i value) { _mm_storel_epi64((__m128i *)to, value); }

// MARK: - Two rows become one

// The weights of both rows, beside each other as their samples are.
CK_SSSE3 static inline __m128i weights_of(int weight) {
    return _mm_set1_epi16((short)(weight << 8 | (CK_WHOLE - weight)));
}

// The weighted sum of each pair of bytes, rounded to whole samples.
CK_SSSE3 static inline __m128i mixed(__m128i pairs, __m128i weights) {
    return _mm_mulhrs_epi16(_mm_maddubs_epi16(pairs, weights), _mm_set1_epi16((1 << 15) / CK_WHOLE));
}

// Mixes the bytes at even places, and those at odd ones.
CK_SSSE3 static inline __m128i mixed_even(__m128i a, __m128i b, __m128i weights) {
    return mixed(_mm_or_si128(_mm_and_si128(a, _mm_set1_epi16(0xFF)), _mm_slli_epi16(b, 8)), weights);
}
CK_SSSE3 static inline __m128i mixed_odd(__m128i a, __m128i b, __m128i weights) {
    __m128i high = _mm_and_si128(b, _mm_set1_epi16((short)0xFF00));
    return mixed(_mm_or_si128(_mm_srli_epi16(a, 8), high), weights);
}

// The bytes at even places, then those at odd ones.
CK_SSSE3 static inline __m128i apart(__m128i pairs) {
    return _mm_shuffle_epi8(pairs, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
}

CK_SSSE3 static void blend(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *out) {
    size_t i = 0;
    __m128i weights = weights_of(weight);
    for (; i + 16 <= count; i += 16) {
        __m128i first = load(a + i), second = load(b + i);
        store(out + i, _mm_packus_epi16(mixed(_mm_unpacklo_epi8(first, second), weights),
                                        mixed(_mm_unpackhi_epi8(first, second), weights)));
    }
    ck_portable_loops.blend(a + i, b + i, weight, count - i, out + i);
}

CK_SSSE3 static void blend_pairs(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *u,
                                 uint8_t *v) {
    size_t i = 0;
    __m128i weights = weights_of(weight);
    for (; i + 16 <= count; i += 16) {
        __m128i a0 = load(a + 2 * i), b0 = load(b + 2 * i);
        __m128i a1 = load(a + 2 * i + 16), b1 = load(b + 2 * i + 16);
        store(u + i, _mm_packus_epi16(mixed_even(a0, b0, weights), mixed_even(a1, b1, weights)));
        store(v + i, _mm_packus_epi16(mixed_odd(a0, b0, weights), mixed_odd(a1, b1, weights)));
    }
    ck_portable_loops.blend_pairs(a + 2 * i, b + 2 * i, weight, count - i, u + i, v + i);
}

CK_SSSE3 static inline size_t blend_packed(const uint8_t *a, const uint8_t *b, int weight, size_t count,
                                           uint8_t *y, uint8_t *u, uint8_t *v, int luma_at) {
    size_t i = 0;
    __m128i weights = weights_of(weight);
    for (; i + 8 <= count; i += 8) {
        __m128i a0 = load(a + 4 * i), b0 = load(b + 4 * i);
        __m128i a1 = load(a + 4 * i + 16), b1 = load(b + 4 * i + 16);
        __m128i even = _mm_packus_epi16(mixed_even(a0, b0, weights), mixed_even(a1, b1, weights));
        __m128i odd = _mm_packus_epi16(mixed_odd(a0, b0, weights), mixed_odd(a1, b1, weights));
        store(y + 2 * i, luma_at ? odd : even);
        __m128i planes = apart(luma_at ? even : odd);
        store_half(u + i, planes);
        store_half(v + i, _mm_srli_si128(planes, 8));
    }
    return i;
}

CK_SSSE3 static void blend_yuyv(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                                uint8_t *u, uint8_t *v) {
    size_t i = blend_packed(a, b, weight, count, y, u, v, 0);
    ck_portable_loops.blend_yuyv(a + 4 * i, b + 4 * i, weight, count - i, y + 2 * i, u + i, v + i);
}

CK_SSSE3 static void blend_uyvy(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                                uint8_t *u, uint8_t *v) {
    size_t i = blend_packed(a, b, weight, count, y, u, v, 1);
    ck_portable_loops.blend_uyvy(a + 4 * i, b + 4 * i, weight, count - i, y + 2 * i, u + i, v + i);
}

CK_SSSE3 static void blend_bgrx(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *blue,
                                uint8_t *green, uint8_t *red) {
    size_t i = 0;
    __m128i weights = weights_of(weight);
    for (; i + 8 <= count; i += 8) {
        __m128i a0 = load(a + 4 * i), b0 = load(b + 4 * i);
        __m128i a1 = load(a + 4 * i + 16), b1 = load(b + 4 * i + 16);
        __m128i even = apart(_mm_packus_epi16(mixed_even(a0, b0, weights), mixed_even(a1, b1, weights)));
        __m128i odd = apart(_mm_packus_epi16(mixed_odd(a0, b0, weights), mixed_odd(a1, b1, weights)));
        store_half(blue + i, even);
        store_half(red + i, _mm_srli_si128(even, 8));
        store_half(green + i, odd);
    }
    ck_portable_loops.blend_bgrx(a + 4 * i, b + 4 * i, weight, count - i, blue + i, green + i, red + i);
}

// MARK: - A row becomes target pixels

// Eight samples along a row, each of two or three of its own, in parts of CK_WHOLE.
CK_SSSE3 static inline __m128i gathered(const uint8_t *row, const ck_table *table, int eighth, int first, int taps) {
    __m128i bytes = load(row + (table->base[eighth] - first));
    __m128i pairs = _mm_shuffle_epi8(bytes, load(table->pick + 16 * (size_t)eighth));
    __m128i sum = _mm_maddubs_epi16(pairs, load(table->weights + 16 * (size_t)eighth));
    if (taps == 2) return sum;
    __m128i thirds = _mm_shuffle_epi8(bytes, load(table->third_pick + 16 * (size_t)eighth));
    return _mm_add_epi16(sum, _mm_maddubs_epi16(thirds, load(table->third_weights + 16 * (size_t)eighth)));
}

CK_SSSE3 static inline void store_pixels(uint8_t *out, __m128i blue, __m128i green, __m128i red) {
    __m128i blue_red = _mm_packus_epi16(blue, red);
    __m128i green_alpha = _mm_packus_epi16(green, _mm_set1_epi16(255));
    __m128i low = _mm_unpacklo_epi8(blue_red, green_alpha), high = _mm_unpackhi_epi8(blue_red, green_alpha);
    store(out, _mm_unpacklo_epi16(low, high));
    store(out + 16, _mm_unpackhi_epi16(low, high));
}

CK_SSSE3 static inline void draw_eight(const ck_piece *piece, const ck_colour *c, int at, uint8_t *out) {
    int luma_taps = piece->luma->taps, chroma_taps = piece->chroma->taps;
    int eighth = at / 8;
    __m128i y = gathered(piece->y, piece->luma, eighth, piece->first_luma, luma_taps);
    __m128i u = gathered(piece->u, piece->chroma, eighth, piece->first_chroma, chroma_taps);
    __m128i v = gathered(piece->v, piece->chroma, eighth, piece->first_chroma, chroma_taps);
    if (c->is_direct) {
        __m128i round = _mm_set1_epi16((1 << 15) / CK_WHOLE);
        store_pixels(out, _mm_mulhrs_epi16(u, round), _mm_mulhrs_epi16(y, round), _mm_mulhrs_epi16(v, round));
        return;
    }
    __m128i light = _mm_mulhrs_epi16(y, _mm_set1_epi16(c->y));
    __m128i blue = _mm_mulhrs_epi16(u, _mm_set1_epi16(c->u_blue));
    __m128i red = _mm_mulhrs_epi16(v, _mm_set1_epi16(c->v_red));
    __m128i green = _mm_add_epi16(_mm_mulhrs_epi16(u, _mm_set1_epi16(c->u_green)),
                                  _mm_mulhrs_epi16(v, _mm_set1_epi16(c->v_green)));
    blue = _mm_add_epi16(_mm_add_epi16(light, blue), _mm_set1_epi16(c->blue));
    red = _mm_add_epi16(_mm_add_epi16(light, red), _mm_set1_epi16(c->red));
    green = _mm_add_epi16(_mm_sub_epi16(light, green), _mm_set1_epi16(c->green));
    store_pixels(out, _mm_srai_epi16(blue, 4), _mm_srai_epi16(green, 4), _mm_srai_epi16(red, 4));
}

CK_SSSE3 static void draw(const ck_piece *piece) {
    const ck_colour colour = *piece->colour;
    uint8_t *out = piece->out;
    int at = piece->from, end = piece->from + piece->count;
    for (; at + 8 <= end; at += 8, out += 32) draw_eight(piece, &colour, at, out);
    if (at == end) return;
    uint8_t rest[32];
    draw_eight(piece, &colour, at, rest);
    memcpy(out, rest, 4 * (size_t)(end - at));
}

// MARK: - Columns become rows

CK_SSSE3 static inline void transpose_square(const uint32_t *tile, size_t pixels_a_row, uint8_t *target,
                                             size_t stride) {
    const uint8_t *from = (const uint8_t *)tile;
    __m128i a = load(from), b = load(from + 4 * pixels_a_row);
    __m128i c = load(from + 8 * pixels_a_row), d = load(from + 12 * pixels_a_row);
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    store(target, _mm_unpacklo_epi64(ab, cd));
    store(target + stride, _mm_unpackhi_epi64(ab, cd));
    ab = _mm_unpackhi_epi32(a, b);
    cd = _mm_unpackhi_epi32(c, d);
    store(target + 2 * stride, _mm_unpacklo_epi64(ab, cd));
    store(target + 3 * stride, _mm_unpackhi_epi64(ab, cd));
}

CK_SSSE3 static void transpose(const uint32_t *tile, size_t pixels_a_row, int rows, int columns, uint8_t *target,
                               size_t stride) {
    int whole_rows = rows & ~3, whole_columns = columns & ~3;
    for (int column = 0; column < whole_columns; column += 4)
        for (int row = 0; row < whole_rows; row += 4)
            transpose_square(tile + (size_t)row * pixels_a_row + column, pixels_a_row,
                             target + (size_t)column * stride + 4 * (size_t)row, stride);
    ck_portable_loops.transpose(tile + (size_t)whole_rows * pixels_a_row, pixels_a_row, rows - whole_rows,
                                whole_columns, target + 4 * (size_t)whole_rows, stride);
    ck_portable_loops.transpose(tile + whole_columns, pixels_a_row, rows, columns - whole_columns,
                                target + (size_t)whole_columns * stride, stride);
}

const ck_loops ck_ssse3_loops = {
    blend, blend_pairs, blend_yuyv, blend_uyvy, blend_bgrx, draw, transpose,
};

#endif
