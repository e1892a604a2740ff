#include "ck_bgra_rows.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define CK_AVX2 __attribute__((target("avx2")))

typedef struct gains {
    __m256i luma, black, u_blue, u_green, v_green, v_red;
} gains;

CK_AVX2 static inline gains gains_of(const ck_bgra_colour *c) {
    return (gains){
        _mm256_set1_epi16((short)c->luma), _mm256_set1_epi16(c->black), _mm256_set1_epi16(c->u_blue),
        _mm256_set1_epi16(c->u_green), _mm256_set1_epi16(c->v_green), _mm256_set1_epi16(c->v_red),
    };
}

// The colours of sixteen pixels in words.
typedef struct colours {
    __m256i blue, green, red;
} colours;

// Sixteen pixels, each sample in the high byte of a word, those of chroma less 128. The lanes hold pixels 0 to 3 and 8
// to 11, and 4 to 7 and 12 to 15, so that what the last step interleaves within lanes lies in order.
CK_AVX2 static inline colours colours_256(__m256i luma, __m256i u, __m256i v, const gains *g) {
    __m256i y = _mm256_sub_epi16(_mm256_mulhi_epu16(luma, g->luma), g->black);
    __m256i green = _mm256_add_epi16(_mm256_mulhi_epi16(u, g->u_green), _mm256_mulhi_epi16(v, g->v_green));
    return (colours){
        .blue = _mm256_srai_epi16(_mm256_add_epi16(y, _mm256_mulhi_epi16(u, g->u_blue)), CK_BGRA_FRACTION),
        .green = _mm256_srai_epi16(_mm256_add_epi16(y, green), CK_BGRA_FRACTION),
        .red = _mm256_srai_epi16(_mm256_add_epi16(y, _mm256_mulhi_epi16(v, g->v_red)), CK_BGRA_FRACTION),
    };
}

CK_AVX2 static inline void store_half(__m256i bg, __m256i ra, uint8_t *bgra) {
    // Clang would make more and slower shuffles of the two steps.
    __asm__("" : "+x"(bg), "+x"(ra));
    _mm256_storeu_si256((__m256i *)bgra, _mm256_unpacklo_epi16(bg, ra));
    _mm256_storeu_si256((__m256i *)(bgra + 32), _mm256_unpackhi_epi16(bg, ra));
}

CK_AVX2 static inline void store_one(colours c, uint8_t *bgra) {
    const __m256i alpha = _mm256_set1_epi16(255);
    __m256i br = _mm256_packus_epi16(c.blue, c.red), ga = _mm256_packus_epi16(c.green, alpha);
    store_half(_mm256_unpacklo_epi8(br, ga), _mm256_unpackhi_epi8(br, ga), bgra);
}

CK_AVX2 static inline void store_two(colours first, colours second, uint8_t *bgra) {
    const __m256i alpha = _mm256_set1_epi8((char)255);
    __m256i blue = _mm256_packus_epi16(first.blue, second.blue);
    __m256i green = _mm256_packus_epi16(first.green, second.green);
    __m256i red = _mm256_packus_epi16(first.red, second.red);
    store_half(_mm256_unpacklo_epi8(blue, green), _mm256_unpacklo_epi8(red, alpha), bgra);
    store_half(_mm256_unpackhi_epi8(blue, green), _mm256_unpackhi_epi8(red, alpha), bgra + 64);
}

// The same sixteen bytes in both lanes; bytes are picked from there.
CK_AVX2 static inline __m256i twice(const uint8_t *from) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

CK_AVX2 static inline __m256i less_128(__m256i chroma) {
    return _mm256_xor_si256(chroma, _mm256_set1_epi8((char)0x80));
}

CK_AVX2 static inline __m256i luma_of(const uint8_t *from) {
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 1, 2, 3, 8, 9, 10, 11),
                                            CK_HIGH(4, 5, 6, 7, 12, 13, 14, 15));
    return _mm256_shuffle_epi8(twice(from), places);
}

// Packed samples in the order of the lanes.
CK_AVX2 static inline __m256i packed_samples(const uint8_t *from) {
    return _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)from), 0xD8);
}

CK_AVX2 static inline colours yuyv_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i u = _mm256_setr_epi8(CK_HIGH(1, 1, 5, 5, 9, 9, 13, 13), CK_HIGH(1, 1, 5, 5, 9, 9, 13, 13));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(3, 3, 7, 7, 11, 11, 15, 15), CK_HIGH(3, 3, 7, 7, 11, 11, 15, 15));
    __m256i samples = _mm256_xor_si256(packed_samples(row->luma + 2 * x), _mm256_set1_epi16((short)0x8000));
    return colours_256(_mm256_slli_epi16(samples, 8), _mm256_shuffle_epi8(samples, u),
                       _mm256_shuffle_epi8(samples, v), g);
}

CK_AVX2 static inline colours uyvy_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i odd = _mm256_set1_epi16((short)0xFF00);
    const __m256i u = _mm256_setr_epi8(CK_HIGH(0, 0, 4, 4, 8, 8, 12, 12), CK_HIGH(0, 0, 4, 4, 8, 8, 12, 12));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(2, 2, 6, 6, 10, 10, 14, 14), CK_HIGH(2, 2, 6, 6, 10, 10, 14, 14));
    __m256i samples = _mm256_xor_si256(packed_samples(row->luma + 2 * x), _mm256_set1_epi16(0x0080));
    return colours_256(_mm256_and_si256(samples, odd), _mm256_shuffle_epi8(samples, u),
                       _mm256_shuffle_epi8(samples, v), g);
}

CK_AVX2 static inline colours semi_planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i u = _mm256_setr_epi8(CK_HIGH(0, 0, 2, 2, 8, 8, 10, 10), CK_HIGH(4, 4, 6, 6, 12, 12, 14, 14));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(1, 1, 3, 3, 9, 9, 11, 11), CK_HIGH(5, 5, 7, 7, 13, 13, 15, 15));
    __m256i pairs = less_128(twice(row->chroma + x));
    return colours_256(luma_of(row->luma + x), _mm256_shuffle_epi8(pairs, u), _mm256_shuffle_epi8(pairs, v), g);
}

CK_AVX2 static inline colours planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 0, 1, 1, 4, 4, 5, 5), CK_HIGH(2, 2, 3, 3, 6, 6, 7, 7));
    __m256i u = less_128(_mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(row->chroma + x / 2))));
    __m256i v = less_128(_mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(row->v + x / 2))));
    return colours_256(luma_of(row->luma + x), _mm256_shuffle_epi8(u, places), _mm256_shuffle_epi8(v, places), g);
}

// Thirty-two pixels at a time, and sixteen at the end.
#define CK_ROW(name)                                                                                            \
    CK_AVX2 static void name##_row(const ck_bgra_row *row, size_t count, const ck_bgra_colour *c, uint8_t *bgra) { \
        gains g = gains_of(c);                                                                                  \
        size_t x = 0;                                                                                           \
        for (; x + 32 <= count; x += 32)                                                                        \
            store_two(name##_colours(row, x, &g), name##_colours(row, x + 16, &g), bgra + 4 * x);               \
        if (x < count) store_one(name##_colours(row, x, &g), bgra + 4 * x);                                     \
    }

CK_ROW(yuyv)
CK_ROW(uyvy)
CK_ROW(semi_planar)
CK_ROW(planar)

const ck_bgra_rows ck_bgra_avx2 = {16, {yuyv_row, uyvy_row, semi_planar_row, planar_row}};

#endif
