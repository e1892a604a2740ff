// The part of the filters' loops that is the same for registers of every width. No include guard: a file includes it once,
// after it has defined
//   CK_TARGET      the processor that its functions are for
//   CK_VECTOR      the register
//   CK_V(name)     an operation on it: _mm256_add_epi32 of add_epi32
//   CK_BITS(name)  one on all of its bits: _mm256_loadu_si256 of loadu
//   CK_SPREAD(v)   puts bytes so that they come out in order: unpacking and packing work within lanes

#include <immintrin.h>
#include <string.h>

#include "ck_scale_loops.h"

CK_TARGET static inline CK_VECTOR load(const void *from) { return CK_BITS(loadu)(from); }
CK_TARGET static inline void store(void *to, CK_VECTOR value) { CK_BITS(storeu)(to, value); }
CK_TARGET static inline CK_VECTOR mixed(CK_VECTOR sum, CK_VECTOR pairs, CK_VECTOR weights) {
    return CK_V(add_epi32)(sum, CK_V(madd_epi16)(pairs, weights));
}

// The weights of two rows, as often as there is room.
CK_TARGET static inline CK_VECTOR weights_at(const int16_t *weights) {
    int32_t both;
    memcpy(&both, weights, sizeof both);
    return CK_V(set1_epi32)(both);
}

CK_TARGET static void down_bytes(const uint8_t *const *rows, const int16_t *weights, int pairs, size_t count,
                                 int16_t *out) {
    enum { SHIFT = 14 - CK_SCALE_UNIT_BITS };
    const CK_VECTOR zero = CK_BITS(setzero)();
    for (size_t x = 0; x < count; x += sizeof zero) {
        CK_VECTOR a = CK_V(set1_epi32)(1 << (SHIFT - 1)), b = a, c = a, d = a;
        for (int pair = 0; pair < pairs; pair++) {
            CK_VECTOR w = weights_at(weights + 2 * pair);
            CK_VECTOR first = CK_SPREAD(load(rows[2 * pair] + x)), second = CK_SPREAD(load(rows[2 * pair + 1] + x));
            CK_VECTOR low = CK_V(unpacklo_epi8)(first, second), high = CK_V(unpackhi_epi8)(first, second);
            a = mixed(a, CK_V(unpacklo_epi8)(low, zero), w);
            b = mixed(b, CK_V(unpackhi_epi8)(low, zero), w);
            c = mixed(c, CK_V(unpacklo_epi8)(high, zero), w);
            d = mixed(d, CK_V(unpackhi_epi8)(high, zero), w);
        }
        store(out + x, CK_V(packs_epi32)(CK_V(srai_epi32)(a, SHIFT), CK_V(srai_epi32)(b, SHIFT)));
        store(out + x + sizeof zero / 2, CK_V(packs_epi32)(CK_V(srai_epi32)(c, SHIFT), CK_V(srai_epi32)(d, SHIFT)));
    }
}

CK_TARGET static void down_words(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count,
                                 int16_t *out) {
    for (size_t x = 0; x < count; x += sizeof(CK_VECTOR) / sizeof *out) {
        CK_VECTOR a = CK_V(set1_epi32)(CK_SCALE_WHOLE / 2), b = a;
        for (int pair = 0; pair < pairs; pair++) {
            CK_VECTOR w = weights_at(weights + 2 * pair);
            CK_VECTOR first = load(rows[2 * pair] + x), second = load(rows[2 * pair + 1] + x);
            a = mixed(a, CK_V(unpacklo_epi16)(first, second), w);
            b = mixed(b, CK_V(unpackhi_epi16)(first, second), w);
        }
        store(out + x, CK_V(packs_epi32)(CK_V(srai_epi32)(a, 14), CK_V(srai_epi32)(b, 14)));
    }
}

// One target sample in parts, to be added up.
CK_TARGET static inline CK_VECTOR sums_at(const int16_t *row, const ck_weights *columns, int i) {
    const int16_t *samples = row + columns->first[i];
    const int16_t *weights = columns->weights + (size_t)i * (size_t)columns->taps;
    CK_VECTOR sum = CK_BITS(setzero)();
    for (int tap = 0; tap < columns->used[i]; tap += (int)(sizeof sum / sizeof *row))
        sum = mixed(sum, load(samples + tap), load(weights + tap));
    return sum;
}
