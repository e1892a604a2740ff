#include "ck_scale_loops.h"

#if defined(__x86_64__)

#define CK_TARGET __attribute__((target("avx2")))
#define CK_VECTOR __m256i
#define CK_V(name) _mm256_##name
#define CK_BITS(name) _mm256_##name##_si256
#define CK_FIRST(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define CK_SECOND(a, b) _mm256_permute2x128_si256(a, b, 0x31)
#include "ck_scale_wide.h"

static int larger(int a, int b) { return a > b ? a : b; }

// Four target samples at a time, all with as many weights as the one that has most: others end with zeros.
CK_TARGET static void across(const int16_t *row, const ck_weights *columns, int16_t *out) {
    const __m128i half = _mm_set1_epi32(CK_SCALE_WHOLE / 2);
    const int last = columns->count - 1;
    for (int i = 0; i < columns->count; i += 4) {
        const int16_t *samples[4], *weights[4];
        int most = 0;
        for (int k = 0; k < 4; k++) {
            int column = i + k < last ? i + k : last;
            samples[k] = row + columns->first[column];
            weights[k] = columns->weights + (size_t)column * (size_t)columns->taps;
            most = larger(most, columns->used[column]);
        }
        __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
        for (int tap = 0; tap < most; tap += CK_SCALE_ACROSS) {
            a = mixed(a, load(samples[0] + tap), load(weights[0] + tap));
            b = mixed(b, load(samples[1] + tap), load(weights[1] + tap));
            c = mixed(c, load(samples[2] + tap), load(weights[2] + tap));
            d = mixed(d, load(samples[3] + tap), load(weights[3] + tap));
        }
        __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        sums = _mm_srai_epi32(_mm_add_epi32(sums, half), 14);
        _mm_storel_epi64((__m128i *)(out + i), _mm_packs_epi32(sums, sums));
    }
}

const ck_scale_set ck_scale_avx2_set = {down_bytes, down_words, across, light_of_ycc};
#endif
