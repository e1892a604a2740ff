#include "ck_scale_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define CK_AVX2 __attribute__((target("avx2")))

CK_AVX2 static inline __m256i load(const void *from) { return _mm256_loadu_si256(from); }
CK_AVX2 static inline void store(void *to, __m256i value) { _mm256_storeu_si256(to, value); }
CK_AVX2 static inline __m256i mixed(__m256i sum, __m256i pairs, __m256i weights) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, weights));
}

// The weights of two rows, eight times over.
CK_AVX2 static inline __m256i weights_at(const int16_t *weights) {
    int32_t both;
    memcpy(&both, weights, sizeof both);
    return _mm256_set1_epi32(both);
}

// Unpacking and packing work within halves: the middle quarters change places, so that samples come out in order.
CK_AVX2 static inline __m256i spread(const uint8_t *row) {
    return _mm256_permute4x64_epi64(load(row), 0xD8);
}

CK_AVX2 static void down_bytes(const uint8_t *const *rows, const int16_t *weights, int pairs, size_t count,
                               int16_t *out) {
    enum { SHIFT = 14 - CK_SCALE_UNIT_BITS };
    const __m256i zero = _mm256_setzero_si256();
    for (size_t x = 0; x < count; x += 32) {
        __m256i a = _mm256_set1_epi32(1 << (SHIFT - 1)), b = a, c = a, d = a;
        for (int pair = 0; pair < pairs; pair++) {
            __m256i w = weights_at(weights + 2 * pair);
            __m256i first = spread(rows[2 * pair] + x), second = spread(rows[2 * pair + 1] + x);
            __m256i low = _mm256_unpacklo_epi8(first, second), high = _mm256_unpackhi_epi8(first, second);
            a = mixed(a, _mm256_unpacklo_epi8(low, zero), w);
            b = mixed(b, _mm256_unpackhi_epi8(low, zero), w);
            c = mixed(c, _mm256_unpacklo_epi8(high, zero), w);
            d = mixed(d, _mm256_unpackhi_epi8(high, zero), w);
        }
        __m256i ab = _mm256_packs_epi32(_mm256_srai_epi32(a, SHIFT), _mm256_srai_epi32(b, SHIFT));
        __m256i cd = _mm256_packs_epi32(_mm256_srai_epi32(c, SHIFT), _mm256_srai_epi32(d, SHIFT));
        store(out + x, ab);
        store(out + x + 16, cd);
    }
}

CK_AVX2 static void down_words(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count,
                               int16_t *out) {
    for (size_t x = 0; x < count; x += 16) {
        __m256i a = _mm256_set1_epi32(CK_SCALE_WHOLE / 2), b = a;
        for (int pair = 0; pair < pairs; pair++) {
            __m256i w = weights_at(weights + 2 * pair);
            __m256i first = load(rows[2 * pair] + x), second = load(rows[2 * pair + 1] + x);
            a = mixed(a, _mm256_unpacklo_epi16(first, second), w);
            b = mixed(b, _mm256_unpackhi_epi16(first, second), w);
        }
        store(out + x, _mm256_packs_epi32(_mm256_srai_epi32(a, 14), _mm256_srai_epi32(b, 14)));
    }
}

CK_AVX2 static inline __m256i sums_at(const int16_t *row, const ck_weights *columns, int i) {
    const int16_t *samples = row + columns->first[i];
    const int16_t *weights = columns->weights + (size_t)i * (size_t)columns->taps;
    __m256i sum = _mm256_setzero_si256();
    for (int tap = 0; tap < columns->used[i]; tap += 16)
        sum = mixed(sum, load(samples + tap), load(weights + tap));
    return sum;
}

CK_AVX2 static void across(const int16_t *row, const ck_weights *columns, int16_t *out) {
    const __m128i half = _mm_set1_epi32(CK_SCALE_WHOLE / 2);
    for (int i = 0; i < columns->count; i += 4) {
        int last = columns->count - 1;
        __m256i a = sums_at(row, columns, i), b = sums_at(row, columns, i + 1 < last ? i + 1 : last);
        __m256i c = sums_at(row, columns, i + 2 < last ? i + 2 : last);
        __m256i d = sums_at(row, columns, i + 3 < last ? i + 3 : last);
        __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        sums = _mm_srai_epi32(_mm_add_epi32(sums, half), 14);
        _mm_storel_epi64((__m128i *)(out + i), _mm_packs_epi32(sums, sums));
    }
}

const ck_scale_set ck_scale_avx2_set = {down_bytes, down_words, across};
#endif
