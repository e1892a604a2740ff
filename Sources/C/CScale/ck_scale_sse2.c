#include "ck_scale_loops.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#include <string.h>

static inline __m128i load(const void *from) { return _mm_loadu_si128(from); }
static inline void store(void *to, __m128i value) { _mm_storeu_si128(to, value); }
static inline __m128i mixed(__m128i sum, __m128i pairs, __m128i weights) {
    return _mm_add_epi32(sum, _mm_madd_epi16(pairs, weights));
}

// The weights of two rows, four times over.
static inline __m128i weights_at(const int16_t *weights) {
    int32_t both;
    memcpy(&both, weights, sizeof both);
    return _mm_set1_epi32(both);
}

static void down_bytes(const uint8_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out) {
    enum { SHIFT = 14 - CK_SCALE_UNIT_BITS };
    const __m128i zero = _mm_setzero_si128();
    for (size_t x = 0; x < count; x += 16) {
        __m128i a = _mm_set1_epi32(1 << (SHIFT - 1)), b = a, c = a, d = a;
        for (int pair = 0; pair < pairs; pair++) {
            __m128i w = weights_at(weights + 2 * pair);
            __m128i first = load(rows[2 * pair] + x), second = load(rows[2 * pair + 1] + x);
            __m128i low = _mm_unpacklo_epi8(first, second), high = _mm_unpackhi_epi8(first, second);
            a = mixed(a, _mm_unpacklo_epi8(low, zero), w);
            b = mixed(b, _mm_unpackhi_epi8(low, zero), w);
            c = mixed(c, _mm_unpacklo_epi8(high, zero), w);
            d = mixed(d, _mm_unpackhi_epi8(high, zero), w);
        }
        store(out + x, _mm_packs_epi32(_mm_srai_epi32(a, SHIFT), _mm_srai_epi32(b, SHIFT)));
        store(out + x + 8, _mm_packs_epi32(_mm_srai_epi32(c, SHIFT), _mm_srai_epi32(d, SHIFT)));
    }
}

static void down_words(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count, int16_t *out) {
    for (size_t x = 0; x < count; x += 8) {
        __m128i a = _mm_set1_epi32(CK_SCALE_WHOLE / 2), b = a;
        for (int pair = 0; pair < pairs; pair++) {
            __m128i w = weights_at(weights + 2 * pair);
            __m128i first = load(rows[2 * pair] + x), second = load(rows[2 * pair + 1] + x);
            a = mixed(a, _mm_unpacklo_epi16(first, second), w);
            b = mixed(b, _mm_unpackhi_epi16(first, second), w);
        }
        store(out + x, _mm_packs_epi32(_mm_srai_epi32(a, 14), _mm_srai_epi32(b, 14)));
    }
}

static inline __m128i sums_at(const int16_t *row, const ck_weights *columns, int i) {
    const int16_t *samples = row + columns->first[i];
    const int16_t *weights = columns->weights + (size_t)i * (size_t)columns->taps;
    __m128i sum = _mm_setzero_si128();
    for (int tap = 0; tap < columns->used[i]; tap += 8)
        sum = mixed(sum, load(samples + tap), load(weights + tap));
    return sum;
}

static void across(const int16_t *row, const ck_weights *columns, int16_t *out) {
    const __m128i half = _mm_set1_epi32(CK_SCALE_WHOLE / 2);
    int i = 0;
    for (; i + 4 <= columns->count; i += 4) {
        __m128i a = sums_at(row, columns, i), b = sums_at(row, columns, i + 1);
        __m128i c = sums_at(row, columns, i + 2), d = sums_at(row, columns, i + 3);
        __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
        __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
        __m128i sums = _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
        sums = _mm_srai_epi32(_mm_add_epi32(sums, half), 14);
        _mm_storel_epi64((__m128i *)(out + i), _mm_packs_epi32(sums, sums));
    }
    for (; i < columns->count; i++) {
        int32_t sums[4];
        store(sums, sums_at(row, columns, i));
        out[i] = ck_scale_word((sums[0] + sums[1] + sums[2] + sums[3] + CK_SCALE_WHOLE / 2) >> 14);
    }
}

const ck_scale_set ck_scale_sse2_set = {down_bytes, down_words, across};
#endif
