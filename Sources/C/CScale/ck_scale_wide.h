// The part of the filters' loops that is the same for registers of every width. No include guard: a file includes it once,
// after it has defined
//   CK_TARGET      the processor that its functions are for
//   CK_VECTOR      the register
//   CK_V(name)     an operation on it: _mm256_add_epi32 of add_epi32
//   CK_BITS(name)  one on all of its bits: _mm256_loadu_si256 of loadu
//   CK_FIRST(a, b), CK_SECOND(a, b)  the first and the second half of a row, of the parts that unpacking makes, which works
//                  within lanes

#include <immintrin.h>
#include <string.h>

#include "ck_scale_light.h"
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
            CK_VECTOR first = load(rows[2 * pair] + x), second = load(rows[2 * pair + 1] + x);
            CK_VECTOR low = CK_V(unpacklo_epi8)(first, second), high = CK_V(unpackhi_epi8)(first, second);
            a = mixed(a, CK_V(unpacklo_epi8)(low, zero), w);
            b = mixed(b, CK_V(unpackhi_epi8)(low, zero), w);
            c = mixed(c, CK_V(unpacklo_epi8)(high, zero), w);
            d = mixed(d, CK_V(unpackhi_epi8)(high, zero), w);
        }
        CK_VECTOR low = CK_V(packs_epi32)(CK_V(srai_epi32)(a, SHIFT), CK_V(srai_epi32)(b, SHIFT));
        CK_VECTOR high = CK_V(packs_epi32)(CK_V(srai_epi32)(c, SHIFT), CK_V(srai_epi32)(d, SHIFT));
        store(out + x, CK_FIRST(low, high));
        store(out + x + sizeof zero / 2, CK_SECOND(low, high));
    }
}

CK_TARGET static void down_words(const int16_t *const *rows, const int16_t *weights, int pairs, size_t count,
                                 int16_t *out) {
    // Two registers at a time: as many bytes as come from memory at once.
    const size_t step = sizeof(CK_VECTOR) / sizeof *out;
    for (size_t x = 0; x < count; x += 2 * step) {
        CK_VECTOR a = CK_V(set1_epi32)(CK_SCALE_WHOLE / 2), b = a, c = a, d = a;
        for (int pair = 0; pair < pairs; pair++) {
            CK_VECTOR w = weights_at(weights + 2 * pair);
            const int16_t *upper = rows[2 * pair] + x, *lower = rows[2 * pair + 1] + x;
            CK_VECTOR first = load(upper), second = load(lower);
            a = mixed(a, CK_V(unpacklo_epi16)(first, second), w);
            b = mixed(b, CK_V(unpackhi_epi16)(first, second), w);
            first = load(upper + step);
            second = load(lower + step);
            c = mixed(c, CK_V(unpacklo_epi16)(first, second), w);
            d = mixed(d, CK_V(unpackhi_epi16)(first, second), w);
        }
        store(out + x, CK_V(packs_epi32)(CK_V(srai_epi32)(a, 14), CK_V(srai_epi32)(b, 14)));
        store(out + x + step, CK_V(packs_epi32)(CK_V(srai_epi32)(c, 14), CK_V(srai_epi32)(d, 14)));
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

// MARK: - Light: ck_scale_light_of, a register at a time

CK_TARGET static inline CK_VECTOR words(int value) { return CK_V(set1_epi16)((short)value); }
CK_TARGET static inline CK_VECTOR scaled(CK_VECTOR a, CK_VECTOR b) { return CK_V(mulhi_epu16)(a, b); }
CK_TARGET static inline CK_VECTOR halved(CK_VECTOR value) { return CK_V(avg_epu16)(value, CK_BITS(setzero)()); }

CK_TARGET static inline CK_VECTOR light_of(CK_VECTOR number) {
    number = CK_V(max_epi16)(CK_V(min_epi16)(number, words(CK_LIGHT_WHITE)), CK_BITS(setzero)());
    CK_VECTOR wide = CK_V(slli_epi16)(number, 2);
    CK_VECTOR base = CK_V(add_epi16)(scaled(wide, words(CK_LIGHT_GAIN)), words(CK_LIGHT_OFFSET));
    CK_VECTOR from_middle = CK_V(sub_epi16)(base, words(CK_LIGHT_MIDDLE));
    CK_VECTOR power = words(ck_light_power[CK_LIGHT_DEGREE]);
    for (int i = CK_LIGHT_DEGREE - 1; i >= 0; i--)
        power = CK_V(adds_epi16)(words(ck_light_power[i]), CK_V(mulhi_epi16)(from_middle, power));
    power = CK_V(sub_epi16)(CK_V(add_epi16)(power, power), words(-1));
    CK_VECTOR curve = scaled(base, scaled(base, power)), line = scaled(wide, words(CK_LIGHT_SLOPE));
    CK_VECTOR is_curve = CK_V(cmpgt_epi16)(number, words(CK_LIGHT_LINE_END));
    CK_VECTOR light = CK_BITS(or)(CK_BITS(and)(is_curve, curve), CK_BITS(andnot)(is_curve, line));
    return halved(halved(light));
}

CK_TARGET static inline void light_of_words(CK_VECTOR luma, CK_VECTOR u, CK_VECTOR v, int16_t *const *planes, size_t x) {
    CK_VECTOR y = CK_V(slli_epi16)(luma, CK_LIGHT_UNIT_BITS);
    CK_VECTOR green = CK_V(add_epi16)(CK_V(mulhi_epi16)(u, words(ck_jpeg_u_green)),
                                      CK_V(mulhi_epi16)(v, words(ck_jpeg_v_green)));
    store(planes[0] + x, light_of(CK_V(add_epi16)(y, CK_V(mulhi_epi16)(u, words(ck_jpeg_u_blue)))));
    store(planes[1] + x, light_of(CK_V(sub_epi16)(y, green)));
    store(planes[2] + x, light_of(CK_V(add_epi16)(y, CK_V(mulhi_epi16)(v, words(ck_jpeg_v_red)))));
}

CK_TARGET static void light_of_ycc(const uint8_t *const *samples, size_t count, int16_t *const *planes) {
    const CK_VECTOR zero = CK_BITS(setzero)(), half = CK_V(set1_epi8)((char)0x80);
    for (size_t x = 0; x < count; x += sizeof zero) {
        CK_VECTOR y = load(samples[0] + x);
        CK_VECTOR u = CK_BITS(xor)(load(samples[1] + x), half), v = CK_BITS(xor)(load(samples[2] + x), half);
        CK_VECTOR y_low = CK_V(unpacklo_epi8)(y, zero), y_high = CK_V(unpackhi_epi8)(y, zero);
        CK_VECTOR u_low = CK_V(unpacklo_epi8)(zero, u), u_high = CK_V(unpackhi_epi8)(zero, u);
        CK_VECTOR v_low = CK_V(unpacklo_epi8)(zero, v), v_high = CK_V(unpackhi_epi8)(zero, v);
        light_of_words(CK_FIRST(y_low, y_high), CK_FIRST(u_low, u_high), CK_FIRST(v_low, v_high), planes, x);
        light_of_words(CK_SECOND(y_low, y_high), CK_SECOND(u_low, u_high), CK_SECOND(v_low, v_high), planes,
                       x + sizeof zero / 2);
    }
}
