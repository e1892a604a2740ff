#include "ck_scale_loops.h"

#if defined(__x86_64__)

#define CK_TARGET
#define CK_VECTOR __m128i
#define CK_V(name) _mm_##name
#define CK_BITS(name) _mm_##name##_si128
#define CK_FIRST(a, b) (a)
#define CK_SECOND(a, b) (b)
#include "ck_scale_wide.h"

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

const ck_scale_set ck_scale_sse2_set = {down_bytes, down_words, across, light_of_ycc};
#endif
