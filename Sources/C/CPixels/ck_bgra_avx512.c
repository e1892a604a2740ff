#include "ck_bgra_rows.h"

#if defined(__x86_64__)

#define CK_TARGET __attribute__((target("avx512bw")))
#define CK_VECTOR __m512i
#define CK_V(name) _mm512_##name
#define CK_BITS(name) _mm512_##name##_si512
#define CK_PICK(a, b, c, d, e, f, g, h) _mm512_broadcast_i32x4(_mm_setr_epi8(CK_HIGH(a, b, c, d, e, f, g, h)))
#define CK_WORDS 32
#include "ck_bgra_wide.h"

// Packed samples in the order of the lanes.
CK_TARGET static inline __m512i packed_samples(const uint8_t *from) {
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm512_permutexvar_epi64(order, _mm512_loadu_si512(from));
}

// Thirty-two bytes, eight at the beginning of each lane, in the order of the lanes.
CK_TARGET static inline __m512i spread(const uint8_t *from) {
    const __m512i order = _mm512_setr_epi32(0, 4, 0, 0, 1, 5, 0, 0, 2, 6, 0, 0, 3, 7, 0, 0);
    return _mm512_permutexvar_epi32(order, _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)from)));
}

// Sixteen bytes, four at the beginning of each lane, in the order of the lanes.
CK_TARGET static inline __m512i thinly_spread(const uint8_t *from) {
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 4, 0, 0, 0, 0, 0, 0));
    const __m512i lane = _mm512_setr_epi32(0, 0, 0, 0, 0x10001, 0, 0, 0, 0x20002, 0, 0, 0, 0x30003, 0, 0, 0);
    return _mm512_permutexvar_epi16(_mm512_add_epi16(order, lane),
                                    _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)from)));
}

CK_TARGET static inline __m512i luma_of(const uint8_t *from) {
    return _mm512_shuffle_epi8(spread(from), CK_PICK(0, 1, 2, 3, 4, 5, 6, 7));
}

CK_TARGET static inline colours yuyv_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    return yuyv_colours_of(packed_samples(row->luma + 2 * x), g);
}

CK_TARGET static inline colours uyvy_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    return uyvy_colours_of(packed_samples(row->luma + 2 * x), g);
}

CK_TARGET static inline colours semi_planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    __m512i pairs = less_128(spread(row->chroma + x));
    return colours_of(luma_of(row->luma + x), _mm512_shuffle_epi8(pairs, CK_PICK(0, 0, 2, 2, 4, 4, 6, 6)),
                      _mm512_shuffle_epi8(pairs, CK_PICK(1, 1, 3, 3, 5, 5, 7, 7)), g);
}

CK_TARGET static inline colours planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m512i places = CK_PICK(0, 0, 1, 1, 2, 2, 3, 3);
    __m512i u = less_128(thinly_spread(row->chroma + x / 2));
    __m512i v = less_128(thinly_spread(row->v + x / 2));
    return colours_of(luma_of(row->luma + x), _mm512_shuffle_epi8(u, places), _mm512_shuffle_epi8(v, places), g);
}

// Narrower loops take it.
#define CK_NONE(name)

CK_ROW(yuyv, CK_NONE)
CK_ROW(uyvy, CK_NONE)
CK_ROW(semi_planar, CK_NONE)
CK_ROW(planar, CK_NONE)

const ck_bgra_rows ck_bgra_avx512 = {2 * CK_WORDS, {yuyv_row, uyvy_row, semi_planar_row, planar_row}};

#endif
