#include "ck_scale_loops.h"

#if defined(__x86_64__)

#define CK_TARGET __attribute__((target("avx2")))
#define CK_VECTOR __m256i
#define CK_V(name) _mm256_##name
#define CK_BITS(name) _mm256_##name##_si256
// The middle quarters change places.
#define CK_SPREAD(v) _mm256_permute4x64_epi64(v, 0xD8)
#include "ck_scale_wide.h"

CK_TARGET static void across(const int16_t *row, const ck_weights *columns, int16_t *out) {
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
