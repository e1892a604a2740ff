#include "ck_bgra_rows.h"

#if defined(__x86_64__)

#define CK_TARGET __attribute__((target("avx2")))
#define CK_VECTOR __m256i
#define CK_V(name) _mm256_##name
#define CK_BITS(name) _mm256_##name##_si256
#define CK_PICK(a, b, c, d, e, f, g, h) _mm256_broadcastsi128_si256(_mm_setr_epi8(CK_HIGH(a, b, c, d, e, f, g, h)))
#define CK_WORDS 16
#include "ck_bgra_wide.h"

CK_TARGET static inline void store_one(colours c, uint8_t *bgra) {
    const __m256i alpha = _mm256_set1_epi16(255);
    __m256i br = _mm256_packus_epi16(c.blue, c.red), ga = _mm256_packus_epi16(c.green, alpha);
    store_half(_mm256_unpacklo_epi8(br, ga), _mm256_unpackhi_epi8(br, ga), bgra);
}

// The same sixteen bytes in both lanes; bytes are picked from there.
CK_TARGET static inline __m256i twice(const uint8_t *from) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
}

CK_TARGET static inline __m256i luma_of(const uint8_t *from) {
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 1, 2, 3, 8, 9, 10, 11),
                                            CK_HIGH(4, 5, 6, 7, 12, 13, 14, 15));
    return _mm256_shuffle_epi8(twice(from), places);
}

// Packed samples in the order of the lanes.
CK_TARGET static inline __m256i packed_samples(const uint8_t *from) {
    return _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)from), 0xD8);
}

CK_TARGET static inline colours yuyv_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    return yuyv_colours_of(packed_samples(row->luma + 2 * x), g);
}

CK_TARGET static inline colours uyvy_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    return uyvy_colours_of(packed_samples(row->luma + 2 * x), g);
}

CK_TARGET static inline colours semi_planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i u = _mm256_setr_epi8(CK_HIGH(0, 0, 2, 2, 8, 8, 10, 10), CK_HIGH(4, 4, 6, 6, 12, 12, 14, 14));
    const __m256i v = _mm256_setr_epi8(CK_HIGH(1, 1, 3, 3, 9, 9, 11, 11), CK_HIGH(5, 5, 7, 7, 13, 13, 15, 15));
    __m256i pairs = less_128(twice(row->chroma + x));
    return colours_of(luma_of(row->luma + x), _mm256_shuffle_epi8(pairs, u), _mm256_shuffle_epi8(pairs, v), g);
}

CK_TARGET static inline colours planar_colours(const ck_bgra_row *row, size_t x, const gains *g) {
    const __m256i places = _mm256_setr_epi8(CK_HIGH(0, 0, 1, 1, 4, 4, 5, 5), CK_HIGH(2, 2, 3, 3, 6, 6, 7, 7));
    __m256i u = less_128(_mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(row->chroma + x / 2))));
    __m256i v = less_128(_mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)(row->v + x / 2))));
    return colours_of(luma_of(row->luma + x), _mm256_shuffle_epi8(u, places), _mm256_shuffle_epi8(v, places), g);
}

// Sixteen pixels at the end.
#define CK_ONE_MORE(name) \
    if (x < count) store_one(name##_colours(row, x, &g), bgra + 4 * x);

CK_ROW(yuyv, CK_ONE_MORE)
CK_ROW(uyvy, CK_ONE_MORE)
CK_ROW(semi_planar, CK_ONE_MORE)
CK_ROW(planar, CK_ONE_MORE)

const ck_bgra_rows ck_bgra_avx2 = {CK_WORDS, {yuyv_row, uyvy_row, semi_planar_row, planar_row}};

#endif
