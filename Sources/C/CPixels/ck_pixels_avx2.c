#include "ck_pixels_loops.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define CK_AVX2 __attribute__((target("avx2")))

CK_AVX2 static inline __m256i load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
CK_AVX2 static inline void store(uint8_t *to, __m256i value) { _mm256_storeu_si256((__m256i *)to, value); }
CK_AVX2 static inline void store_half(uint8_t *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }

// MARK: - Two rows become one

// The weights of both rows, beside each other as their samples are.
CK_AVX2 static inline __m256i weights_of(int weight) {
    return _mm256_set1_epi16((short)(weight << 8 | (CK_WHOLE - weight)));
}

// The weighted sum of each pair of bytes, rounded to whole samples.
CK_AVX2 static inline __m256i mixed(__m256i pairs, __m256i weights) {
    return _mm256_mulhrs_epi16(_mm256_maddubs_epi16(pairs, weights), _mm256_set1_epi16((1 << 15) / CK_WHOLE));
}

// Mixes the bytes at even places, and those at odd ones.
CK_AVX2 static inline __m256i mixed_even(__m256i a, __m256i b, __m256i weights) {
    __m256i low = _mm256_and_si256(a, _mm256_set1_epi16(0xFF));
    return mixed(_mm256_or_si256(low, _mm256_slli_epi16(b, 8)), weights);
}
CK_AVX2 static inline __m256i mixed_odd(__m256i a, __m256i b, __m256i weights) {
    __m256i high = _mm256_and_si256(b, _mm256_set1_epi16((short)0xFF00));
    return mixed(_mm256_or_si256(_mm256_srli_epi16(a, 8), high), weights);
}

// Packing works within halves; this puts the quarters back in order.
CK_AVX2 static inline __m256i packed(__m256i a, __m256i b) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8);
}

CK_AVX2 static void blend(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *out) {
    size_t i = 0;
    __m256i weights = weights_of(weight);
    for (; i + 32 <= count; i += 32) {
        __m256i first = load(a + i), second = load(b + i);
        __m256i low = mixed(_mm256_unpacklo_epi8(first, second), weights);
        __m256i high = mixed(_mm256_unpackhi_epi8(first, second), weights);
        store(out + i, _mm256_packus_epi16(low, high));
    }
    ck_portable_loops.blend(a + i, b + i, weight, count - i, out + i);
}

CK_AVX2 static void blend_pairs(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *u,
                                uint8_t *v) {
    size_t i = 0;
    __m256i weights = weights_of(weight);
    for (; i + 32 <= count; i += 32) {
        __m256i a0 = load(a + 2 * i), b0 = load(b + 2 * i);
        __m256i a1 = load(a + 2 * i + 32), b1 = load(b + 2 * i + 32);
        store(u + i, packed(mixed_even(a0, b0, weights), mixed_even(a1, b1, weights)));
        store(v + i, packed(mixed_odd(a0, b0, weights), mixed_odd(a1, b1, weights)));
    }
    ck_portable_loops.blend_pairs(a + 2 * i, b + 2 * i, weight, count - i, u + i, v + i);
}

CK_AVX2 static inline size_t blend_packed(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                                          uint8_t *u, uint8_t *v, int luma_at) {
    size_t i = 0;
    __m256i weights = weights_of(weight);
    // Within each half U and V of four pairs, and then of four more, come apart.
    const __m256i apart = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10,
                                           12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (; i + 16 <= count; i += 16) {
        __m256i a0 = load(a + 4 * i), b0 = load(b + 4 * i);
        __m256i a1 = load(a + 4 * i + 32), b1 = load(b + 4 * i + 32);
        __m256i even0 = mixed_even(a0, b0, weights), even1 = mixed_even(a1, b1, weights);
        __m256i odd0 = mixed_odd(a0, b0, weights), odd1 = mixed_odd(a1, b1, weights);
        store(y + 2 * i, luma_at ? packed(odd0, odd1) : packed(even0, even1));
        __m256i pairs = luma_at ? _mm256_packus_epi16(even0, even1) : _mm256_packus_epi16(odd0, odd1);
        __m256i planes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(pairs, apart), order);
        store_half(u + i, _mm256_castsi256_si128(planes));
        store_half(v + i, _mm256_extracti128_si256(planes, 1));
    }
    return i;
}

CK_AVX2 static void blend_yuyv(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                               uint8_t *u, uint8_t *v) {
    size_t i = blend_packed(a, b, weight, count, y, u, v, 0);
    ck_portable_loops.blend_yuyv(a + 4 * i, b + 4 * i, weight, count - i, y + 2 * i, u + i, v + i);
}

CK_AVX2 static void blend_uyvy(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *y,
                               uint8_t *u, uint8_t *v) {
    size_t i = blend_packed(a, b, weight, count, y, u, v, 1);
    ck_portable_loops.blend_uyvy(a + 4 * i, b + 4 * i, weight, count - i, y + 2 * i, u + i, v + i);
}

CK_AVX2 static void blend_bgrx(const uint8_t *a, const uint8_t *b, int weight, size_t count, uint8_t *blue,
                               uint8_t *green, uint8_t *red) {
    size_t i = 0;
    __m256i weights = weights_of(weight);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i apart = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10,
                                           12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    for (; i + 16 <= count; i += 16) {
        __m256i a0 = load(a + 4 * i), b0 = load(b + 4 * i);
        __m256i a1 = load(a + 4 * i + 32), b1 = load(b + 4 * i + 32);
        __m256i even = _mm256_packus_epi16(mixed_even(a0, b0, weights), mixed_even(a1, b1, weights));
        __m256i odd = _mm256_packus_epi16(mixed_odd(a0, b0, weights), mixed_odd(a1, b1, weights));
        even = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(even, apart), order);
        odd = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(odd, apart), order);
        store_half(blue + i, _mm256_castsi256_si128(even));
        store_half(red + i, _mm256_extracti128_si256(even, 1));
        store_half(green + i, _mm256_castsi256_si128(odd));
    }
    ck_portable_loops.blend_bgrx(a + 4 * i, b + 4 * i, weight, count - i, blue + i, green + i, red + i);
}

// MARK: - A row becomes target pixels

// Sixteen samples along a row, each of two or three of its own, in parts of CK_WHOLE.
CK_AVX2 static inline __m256i gathered(const uint8_t *row, const ck_table *table, int eighth, int first, int taps) {
    __m128i low = _mm_loadu_si128((const __m128i *)(row + (table->base[eighth] - first)));
    __m128i high = _mm_loadu_si128((const __m128i *)(row + (table->base[eighth + 1] - first)));
    __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    __m256i pairs = _mm256_shuffle_epi8(bytes, load(table->pick + 16 * (size_t)eighth));
    __m256i sum = _mm256_maddubs_epi16(pairs, load(table->weights + 16 * (size_t)eighth));
    if (taps == 2) return sum;
    __m256i thirds = _mm256_shuffle_epi8(bytes, load(table->third_pick + 16 * (size_t)eighth));
    return _mm256_add_epi16(sum, _mm256_maddubs_epi16(thirds, load(table->third_weights + 16 * (size_t)eighth)));
}

CK_AVX2 static inline void store_pixels(uint8_t *out, __m256i blue, __m256i green, __m256i red) {
    __m256i blue_red = _mm256_packus_epi16(blue, red);
    __m256i green_alpha = _mm256_packus_epi16(green, _mm256_set1_epi16(255));
    __m256i low = _mm256_unpacklo_epi8(blue_red, green_alpha), high = _mm256_unpackhi_epi8(blue_red, green_alpha);
    __m256i outer = _mm256_unpacklo_epi16(low, high), inner = _mm256_unpackhi_epi16(low, high);
    store(out, _mm256_permute2x128_si256(outer, inner, 0x20));
    store(out + 32, _mm256_permute2x128_si256(outer, inner, 0x31));
}

CK_AVX2 static inline void draw_chunk(const ck_piece *piece, const ck_colour *c, int at, uint8_t *out) {
    int luma_taps = piece->luma->taps, chroma_taps = piece->chroma->taps;
    int eighth = at / 8;
    __m256i y = gathered(piece->y, piece->luma, eighth, piece->first_luma, luma_taps);
    __m256i u = gathered(piece->u, piece->chroma, eighth, piece->first_chroma, chroma_taps);
    __m256i v = gathered(piece->v, piece->chroma, eighth, piece->first_chroma, chroma_taps);
    if (c->is_direct) {
        __m256i round = _mm256_set1_epi16((1 << 15) / CK_WHOLE);
        store_pixels(out, _mm256_mulhrs_epi16(u, round), _mm256_mulhrs_epi16(y, round), _mm256_mulhrs_epi16(v, round));
        return;
    }
    __m256i light = _mm256_mulhrs_epi16(y, _mm256_set1_epi16(c->y));
    __m256i blue = _mm256_mulhrs_epi16(u, _mm256_set1_epi16(c->u_blue));
    __m256i red = _mm256_mulhrs_epi16(v, _mm256_set1_epi16(c->v_red));
    __m256i green = _mm256_add_epi16(_mm256_mulhrs_epi16(u, _mm256_set1_epi16(c->u_green)),
                                     _mm256_mulhrs_epi16(v, _mm256_set1_epi16(c->v_green)));
    blue = _mm256_add_epi16(_mm256_add_epi16(light, blue), _mm256_set1_epi16(c->blue));
    red = _mm256_add_epi16(_mm256_add_epi16(light, red), _mm256_set1_epi16(c->red));
    green = _mm256_add_epi16(_mm256_sub_epi16(light, green), _mm256_set1_epi16(c->green));
    store_pixels(out, _mm256_srai_epi16(blue, 4), _mm256_srai_epi16(green, 4), _mm256_srai_epi16(red, 4));
}

CK_AVX2 static void draw(const ck_piece *piece) {
    const ck_colour colour = *piece->colour;
    uint8_t *out = piece->out;
    int at = piece->from, end = piece->from + piece->count;
    for (; at + CK_CHUNK <= end; at += CK_CHUNK, out += 4 * CK_CHUNK) draw_chunk(piece, &colour, at, out);
    if (at == end) return;
    uint8_t rest[4 * CK_CHUNK];
    draw_chunk(piece, &colour, at, rest);
    memcpy(out, rest, 4 * (size_t)(end - at));
}

// MARK: - Columns become rows

CK_AVX2 static inline void transpose_square(const uint32_t *tile, size_t pixels_a_row, uint8_t *target,
                                            size_t stride) {
    __m256i r[8], t[8];
    for (int i = 0; i < 8; i++) r[i] = load((const uint8_t *)(tile + (size_t)i * pixels_a_row));
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        store(target + (size_t)i * stride, _mm256_permute2x128_si256(r[i], r[i + 4], 0x20));
        store(target + (size_t)(i + 4) * stride, _mm256_permute2x128_si256(r[i], r[i + 4], 0x31));
    }
}

CK_AVX2 static void transpose(const uint32_t *tile, size_t pixels_a_row, int rows, int columns, uint8_t *target,
                              size_t stride) {
    int whole_rows = rows & ~7, whole_columns = columns & ~7;
    for (int column = 0; column < whole_columns; column += 8)
        for (int row = 0; row < whole_rows; row += 8)
            transpose_square(tile + (size_t)row * pixels_a_row + column, pixels_a_row,
                             target + (size_t)column * stride + 4 * (size_t)row, stride);
    ck_portable_loops.transpose(tile + (size_t)whole_rows * pixels_a_row, pixels_a_row, rows - whole_rows,
                                whole_columns, target + 4 * (size_t)whole_rows, stride);
    ck_portable_loops.transpose(tile + whole_columns, pixels_a_row, rows, columns - whole_columns,
                                target + (size_t)whole_columns * stride, stride);
}

static const ck_loops avx2_loops = {
    blend, blend_pairs, blend_yuyv, blend_uyvy, blend_bgrx, draw, transpose,
};

const ck_loops *ck_loops_for(ck_widest_loops loops) {
    if (loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2")) return &avx2_loops;
    if (loops <= CK_SSE_LOOPS && __builtin_cpu_supports("ssse3")) return &ck_ssse3_loops;
    return &ck_portable_loops;
}

#else

const ck_loops *ck_loops_for(ck_widest_loops loops) {
    (void)loops;
    return &ck_portable_loops;
}

#endif
