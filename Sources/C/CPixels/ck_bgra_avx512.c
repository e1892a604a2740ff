#include "ck_bgra_rows.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define CK_AVX512 __attribute__((target("avx512bw")))

typedef struct gains {
    __m512i luma, black, u_blue, u_green, v_green, v_red;
} gains;

CK_AVX512 static inline gains gains_of(const ck_bgra_colour *c) {
    return (gains){
        _mm512_set1_epi16((short)c->luma), _mm512_set1_epi16(c->black), _mm512_set1_epi16(c->u_blue),
        _mm512_set1_epi16(c->u_green), _mm512_set1_epi16(c->v_green), _mm512_set1_epi16(c->v_red),
    };
}

// The colours of thirty-two pixels in words.
typedef struct colours {
    __m512i blue, green, red;
} colours;

// Thirty-two pixels, each sample in the high byte of a word, those of chroma less 128. Lane n holds the pixels from 4 n
// and from 16 + 4 n, four each, so that what the last step interleaves within lanes lies in order.
CK_AVX512 static inline colours colours_512(__m512i luma, __m512i u, __m512i v, const gains *g) {
    __m512i y = _mm512_sub_epi16(_mm512_mulhi_epu16(luma, g->luma), g->black);
    __m512i green = _mm512_add_epi16(_mm512_mulhi_epi16(u, g->u_green), _mm512_mulhi_epi16(v, g->v_green));
    return (colours){
        .blue = _mm512_srai_epi16(_mm512_add_epi16(y, _mm512_mulhi_epi16(u, g->u_blue)), CK_BGRA_FRACTION),
        .green = _mm512_srai_epi16(_mm512_add_epi16(y, green), CK_BGRA_FRACTION),
        .red = _mm512_srai_epi16(_mm512_add_epi16(y, _mm512_mulhi_epi16(v, g->v_red)), CK_BGRA_FRACTION),
    };
}

CK_AVX512 static inline void store_half(__m512i bg, __m512i ra, uint8_t *bgra) {
    // Clang would make more and slower shuffles of the two steps.
    __asm__("" : "+v"(bg), "+v"(ra));
    _mm512_storeu_si512(bgra, _mm512_unpacklo_epi16(bg, ra));
    _mm512_storeu_si512(bgra + 64, _mm512_unpackhi_epi16(bg, ra));
}

CK_AVX512 static inline void store_two(colours first, colours second, uint8_t *bgra) {
    const __m512i alpha = _mm512_set1_epi8((char)255);
    __m512i blue = _mm512_packus_epi16(first.blue, second.blue);
    __m512i green = _mm512_packus_epi16(first.green, second.green);
    __m512i red = _mm512_packus_epi16(first.red, second.red);
    store_half(_mm512_unpacklo_epi8(blue, green), _mm512_unpacklo_epi8(red, alpha), bgra);
    store_half(_mm512_unpackhi_epi8(blue, green), _mm512_unpackhi_epi8(red, alpha), bgra + 128);
}

// Bytes picked in each lane.
#define CK_PICK(a, b, c, d, e, f, g, h) \
    _mm512_broadcast_i32x4(_mm_setr_epi8(CK_HIGH(a, b, c, d, e, f, g, h)))

// Packed samples in the order of the lanes.
CK_AVX512 static inline __m512i packed_samples(const uint8_t *from) {
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    return _mm512_permutexvar_epi64(order, _mm512_loadu_si512(from));
}

// Thirty-two bytes, eight at the beginning of each lane, in the order of the lanes.
CK_AVX512 static inline __m512i spread(const uint8_t *from) {
    const __m512i order = _mm512_setr_epi32(0, 4, 0, 0, 1, 5, 0, 0, 2, 6, 0, 0, 3, 7, 0, 0);
    return _mm512_permutexvar_epi32(order, _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)from)));
}

// Sixteen bytes, four at the beginning of each lane, in the order of the lanes.
CK_AVX512 static inline __m512i thinly_spread(const uint8_t *from) {
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi16(0, 4, 0, 0, 0, 0, 0, 0));
    const __m512i lane = _mm512_setr_epi32(0, 0, 0, 0, 0x10001, 0, 0, 0, 0x20002, 0, 0, 0, 0x30003, 0, 0, 0);
    return _mm512_permutexvar_epi16(_mm512_add_epi16(order, lane),
                                    _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)from)));
}

CK_AVX512 static inline __m512i less_128(__m512i chroma) {
    return _mm512_xor_si512(chroma, _mm512_set1_epi8((char)0x80));
}

CK_AVX512 static inline colours yuyv_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    __m512i samples = _mm512_xor_si512(packed_samples(row->luma + 2 * x), _mm512_set1_epi16((short)0x8000));
    return colours_512(_mm512_slli_epi16(samples, 8),
                       _mm512_shuffle_epi8(samples, CK_PICK(1, 1, 5, 5, 9, 9, 13, 13)),
                       _mm512_shuffle_epi8(samples, CK_PICK(3, 3, 7, 7, 11, 11, 15, 15)), g);
}

CK_AVX512 static inline colours uyvy_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    __m512i samples = _mm512_xor_si512(packed_samples(row->luma + 2 * x), _mm512_set1_epi16(0x0080));
    return colours_512(_mm512_and_si512(samples, _mm512_set1_epi16((short)0xFF00)),
                       _mm512_shuffle_epi8(samples, CK_PICK(0, 0, 4, 4, 8, 8, 12, 12)),
                       _mm512_shuffle_epi8(samples, CK_PICK(2, 2, 6, 6, 10, 10, 14, 14)), g);
}

CK_AVX512 static inline __m512i luma_of(const uint8_t *from) {
    return _mm512_shuffle_epi8(spread(from), CK_PICK(0, 1, 2, 3, 4, 5, 6, 7));
}

CK_AVX512 static inline colours semi_planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    __m512i pairs = less_128(spread(row->chroma + x));
    return colours_512(luma_of(row->luma + x), _mm512_shuffle_epi8(pairs, CK_PICK(0, 0, 2, 2, 4, 4, 6, 6)),
                       _mm512_shuffle_epi8(pairs, CK_PICK(1, 1, 3, 3, 5, 5, 7, 7)), g);
}

CK_AVX512 static inline colours planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m512i places = CK_PICK(0, 0, 1, 1, 2, 2, 3, 3);
    __m512i u = less_128(thinly_spread(row->chroma + x / 2));
    __m512i v = less_128(thinly_spread(row->v + x / 2));
    return colours_512(luma_of(row->luma + x), _mm512_shuffle_epi8(u, places), _mm512_shuffle_epi8(v, places), g);
}

#define CK_ROW(name)                                                                                               \
    CK_AVX512 static void name##_row(const ck_bgra_row *row, size_t count, const ck_bgra_colour *c, uint8_t *bgra) { \
        gains g = gains_of(c);                                                                                     \
        for (size_t x = 0; x < count; x += 64)                                                                     \
            store_two(name##_colours(row, x, &g), name##_colours(row, x + 32, &g), bgra + 4 * x);                  \
    }

CK_ROW(yuyv)
CK_ROW(uyvy)
CK_ROW(semi_planar)
CK_ROW(planar)

const ck_bgra_rows ck_bgra_avx512 = {64, {yuyv_row, uyvy_row, semi_planar_row, planar_row}};

#endif
