#include "ck_jpeg_rows.h"

#include <string.h>

// Limited to full range: luma (y - 16) * 255 / 219, chroma (c - 128) * 255 / 224 + 128, in fractions of 2^14.
enum { LUMA_GAIN = 19077, CHROMA_GAIN = 18651 };

static inline uint8_t clamped(int32_t value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

static inline uint8_t full_luma(uint8_t y) {
    return clamped((((int32_t)y - 16) * LUMA_GAIN + (1 << 13)) >> 14);
}

static inline uint8_t full_chroma(uint8_t c) {
    return clamped(((((int32_t)c - 128) * CHROMA_GAIN + (1 << 13)) >> 14) + 128);
}

// MARK: - Portable loops; also the tails of the others

static void expand_luma(const uint8_t *source, size_t count, uint8_t *luma) {
    for (size_t i = 0; i < count; i++) luma[i] = full_luma(source[i]);
}

static void expand_chroma(const uint8_t *source, size_t count, uint8_t *chroma) {
    for (size_t i = 0; i < count; i++) chroma[i] = full_chroma(source[i]);
}

static void split_chroma(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v) {
    for (size_t i = 0; i < count; i++) {
        u[i] = source[2 * i];
        v[i] = source[2 * i + 1];
    }
}

static void split_expand_chroma(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v) {
    for (size_t i = 0; i < count; i++) {
        u[i] = full_chroma(source[2 * i]);
        v[i] = full_chroma(source[2 * i + 1]);
    }
}

// `luma_at` is where the first luma sample of a pair lies: 0 for YUYV, 1 for UYVY.
static inline void split_packed(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v,
                                int luma_at, int expand) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pair = source + 4 * i;
        uint8_t y0 = pair[luma_at], y1 = pair[luma_at + 2];
        uint8_t cb = pair[1 - luma_at], cr = pair[3 - luma_at];
        y[2 * i] = expand ? full_luma(y0) : y0;
        y[2 * i + 1] = expand ? full_luma(y1) : y1;
        u[i] = expand ? full_chroma(cb) : cb;
        v[i] = expand ? full_chroma(cr) : cr;
    }
}

#define CK_PACKED(NAME, LUMA_AT, EXPAND)                                                              \
    static void NAME(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v) {       \
        split_packed(source, count, y, u, v, LUMA_AT, EXPAND);                                        \
    }
CK_PACKED(split_yuyv, 0, 0)
CK_PACKED(split_expand_yuyv, 0, 1)
CK_PACKED(split_uyvy, 1, 0)
CK_PACKED(split_expand_uyvy, 1, 1)

static const ck_rows portable_rows = {
    expand_luma, expand_chroma,     split_chroma, split_expand_chroma,
    split_yuyv,  split_expand_yuyv, split_uyvy,   split_expand_uyvy,
};

#if defined(__x86_64__)

#include <immintrin.h>

// MARK: - SSE2, which every x86-64 processor has

// A 16-bit lane holds a sample in its high byte; the high half of its product with the gain then has six
// bits of fraction, which the shift rounds away.

static inline __m128i full_luma_128(__m128i high) {
    __m128i above_black = _mm_subs_epu16(high, _mm_set1_epi16(16 << 8));
    __m128i product = _mm_mulhi_epu16(above_black, _mm_set1_epi16(LUMA_GAIN));
    return _mm_srli_epi16(_mm_add_epi16(product, _mm_set1_epi16(32)), 6);
}

static inline __m128i full_chroma_128(__m128i high) {
    __m128i centred = _mm_xor_si128(high, _mm_set1_epi16((short)0x8000));
    __m128i product = _mm_mulhi_epi16(centred, _mm_set1_epi16(CHROMA_GAIN));
    return _mm_srai_epi16(_mm_add_epi16(product, _mm_set1_epi16(32 + (128 << 6))), 6);
}

static inline __m128i load_128(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)from); }
static inline void store_128(uint8_t *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }

static void expand_luma_sse2(const uint8_t *source, size_t count, uint8_t *luma) {
    size_t i = 0;
    __m128i zero = _mm_setzero_si128();
    for (; i + 16 <= count; i += 16) {
        __m128i bytes = load_128(source + i);
        store_128(luma + i, _mm_packus_epi16(full_luma_128(_mm_unpacklo_epi8(zero, bytes)),
                                             full_luma_128(_mm_unpackhi_epi8(zero, bytes))));
    }
    expand_luma(source + i, count - i, luma + i);
}

static void expand_chroma_sse2(const uint8_t *source, size_t count, uint8_t *chroma) {
    size_t i = 0;
    __m128i zero = _mm_setzero_si128();
    for (; i + 16 <= count; i += 16) {
        __m128i bytes = load_128(source + i);
        store_128(chroma + i, _mm_packus_epi16(full_chroma_128(_mm_unpacklo_epi8(zero, bytes)),
                                               full_chroma_128(_mm_unpackhi_epi8(zero, bytes))));
    }
    expand_chroma(source + i, count - i, chroma + i);
}

// The samples in even bytes of two vectors, and those in odd bytes.
static inline __m128i even_128(__m128i a, __m128i b) {
    __m128i low = _mm_set1_epi16(0xFF);
    return _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low));
}
static inline __m128i odd_128(__m128i a, __m128i b) {
    return _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
}
// The same, each sample in the high byte of a lane.
static inline __m128i even_high_128(__m128i a) { return _mm_slli_epi16(a, 8); }
static inline __m128i odd_high_128(__m128i a) { return _mm_and_si128(a, _mm_set1_epi16((short)0xFF00)); }

static void split_chroma_sse2(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i a = load_128(source + 2 * i), b = load_128(source + 2 * i + 16);
        store_128(u + i, even_128(a, b));
        store_128(v + i, odd_128(a, b));
    }
    split_chroma(source + 2 * i, count - i, u + i, v + i);
}

static void split_expand_chroma_sse2(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i a = load_128(source + 2 * i), b = load_128(source + 2 * i + 16);
        store_128(u + i, _mm_packus_epi16(full_chroma_128(even_high_128(a)),
                                          full_chroma_128(even_high_128(b))));
        store_128(v + i, _mm_packus_epi16(full_chroma_128(odd_high_128(a)),
                                          full_chroma_128(odd_high_128(b))));
    }
    split_expand_chroma(source + 2 * i, count - i, u + i, v + i);
}

static inline __m128i luma_128(__m128i a, __m128i b, int luma_at, int expand) {
    if (!expand) return luma_at ? odd_128(a, b) : even_128(a, b);
    return _mm_packus_epi16(full_luma_128(luma_at ? odd_high_128(a) : even_high_128(a)),
                            full_luma_128(luma_at ? odd_high_128(b) : even_high_128(b)));
}
static inline __m128i chroma_128(__m128i a, __m128i b, int luma_at, int expand) {
    if (!expand) return luma_at ? even_128(a, b) : odd_128(a, b);
    return _mm_packus_epi16(full_chroma_128(luma_at ? even_high_128(a) : odd_high_128(a)),
                            full_chroma_128(luma_at ? even_high_128(b) : odd_high_128(b)));
}

static inline void split_packed_sse2(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v,
                                     int luma_at, int expand) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i a = load_128(source + 4 * i), b = load_128(source + 4 * i + 16);
        __m128i c = load_128(source + 4 * i + 32), d = load_128(source + 4 * i + 48);
        store_128(y + 2 * i, luma_128(a, b, luma_at, expand));
        store_128(y + 2 * i + 16, luma_128(c, d, luma_at, expand));
        __m128i first = chroma_128(a, b, luma_at, expand), second = chroma_128(c, d, luma_at, expand);
        store_128(u + i, even_128(first, second));
        store_128(v + i, odd_128(first, second));
    }
    split_packed(source + 4 * i, count - i, y + 2 * i, u + i, v + i, luma_at, expand);
}

#define CK_PACKED_SSE2(NAME, LUMA_AT, EXPAND)                                                         \
    static void NAME(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u, uint8_t *v) {       \
        split_packed_sse2(source, count, y, u, v, LUMA_AT, EXPAND);                                   \
    }
CK_PACKED_SSE2(split_yuyv_sse2, 0, 0)
CK_PACKED_SSE2(split_expand_yuyv_sse2, 0, 1)
CK_PACKED_SSE2(split_uyvy_sse2, 1, 0)
CK_PACKED_SSE2(split_expand_uyvy_sse2, 1, 1)

static const ck_rows sse2_rows = {
    expand_luma_sse2, expand_chroma_sse2,     split_chroma_sse2, split_expand_chroma_sse2,
    split_yuyv_sse2,  split_expand_yuyv_sse2, split_uyvy_sse2,   split_expand_uyvy_sse2,
};

// MARK: - AVX2, where the processor says so: the loops that most cameras' raw frames take

#define CK_AVX2 __attribute__((target("avx2")))

// Packing works within halves; this puts the quarters back in order.
CK_AVX2 static inline __m256i packed_256(__m256i a, __m256i b) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8);
}
CK_AVX2 static inline __m256i full_luma_256(__m256i high) {
    __m256i above_black = _mm256_subs_epu16(high, _mm256_set1_epi16(16 << 8));
    __m256i product = _mm256_mulhi_epu16(above_black, _mm256_set1_epi16(LUMA_GAIN));
    return _mm256_srli_epi16(_mm256_add_epi16(product, _mm256_set1_epi16(32)), 6);
}
CK_AVX2 static inline __m256i full_chroma_256(__m256i high) {
    __m256i centred = _mm256_xor_si256(high, _mm256_set1_epi16((short)0x8000));
    __m256i product = _mm256_mulhi_epi16(centred, _mm256_set1_epi16(CHROMA_GAIN));
    return _mm256_srai_epi16(_mm256_add_epi16(product, _mm256_set1_epi16(32 + (128 << 6))), 6);
}

CK_AVX2 static void split_expand_yuyv_avx2(const uint8_t *source, size_t count, uint8_t *y, uint8_t *u,
                                           uint8_t *v) {
    size_t i = 0;
    const __m256i odd = _mm256_set1_epi16((short)0xFF00), even = _mm256_set1_epi16(0xFF);
    for (; i + 16 <= count; i += 16) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(source + 4 * i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(source + 4 * i + 32));
        __m256i luma = packed_256(full_luma_256(_mm256_slli_epi16(a, 8)),
                                  full_luma_256(_mm256_slli_epi16(b, 8)));
        _mm256_storeu_si256((__m256i *)(y + 2 * i), luma);
        __m256i chroma = packed_256(full_chroma_256(_mm256_and_si256(a, odd)),
                                    full_chroma_256(_mm256_and_si256(b, odd)));
        __m256i halves = packed_256(_mm256_and_si256(chroma, even), _mm256_srli_epi16(chroma, 8));
        store_128(u + i, _mm256_castsi256_si128(halves));
        store_128(v + i, _mm256_extracti128_si256(halves, 1));
    }
    split_packed(source + 4 * i, count - i, y + 2 * i, u + i, v + i, 0, 1);
}

// Bytes as the high bytes of words, in the order that packing restores.
CK_AVX2 static inline __m256i low_256(__m256i bytes) { return _mm256_unpacklo_epi8(_mm256_setzero_si256(), bytes); }
CK_AVX2 static inline __m256i high_256(__m256i bytes) { return _mm256_unpackhi_epi8(_mm256_setzero_si256(), bytes); }

CK_AVX2 static void expand_luma_avx2(const uint8_t *source, size_t count, uint8_t *luma) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(source + i));
        __m256i full = _mm256_packus_epi16(full_luma_256(low_256(bytes)), full_luma_256(high_256(bytes)));
        _mm256_storeu_si256((__m256i *)(luma + i), full);
    }
    expand_luma(source + i, count - i, luma + i);
}

CK_AVX2 static void expand_chroma_avx2(const uint8_t *source, size_t count, uint8_t *chroma) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(source + i));
        __m256i full = _mm256_packus_epi16(full_chroma_256(low_256(bytes)), full_chroma_256(high_256(bytes)));
        _mm256_storeu_si256((__m256i *)(chroma + i), full);
    }
    expand_chroma(source + i, count - i, chroma + i);
}

CK_AVX2 static void split_expand_chroma_avx2(const uint8_t *source, size_t count, uint8_t *u, uint8_t *v) {
    size_t i = 0;
    const __m256i odd = _mm256_set1_epi16((short)0xFF00);
    for (; i + 32 <= count; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(source + 2 * i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(source + 2 * i + 32));
        __m256i us = packed_256(full_chroma_256(_mm256_slli_epi16(a, 8)), full_chroma_256(_mm256_slli_epi16(b, 8)));
        __m256i vs = packed_256(full_chroma_256(_mm256_and_si256(a, odd)), full_chroma_256(_mm256_and_si256(b, odd)));
        _mm256_storeu_si256((__m256i *)(u + i), us);
        _mm256_storeu_si256((__m256i *)(v + i), vs);
    }
    split_expand_chroma(source + 2 * i, count - i, u + i, v + i);
}

static const ck_rows avx2_rows = {
    expand_luma_avx2, expand_chroma_avx2,     split_chroma_sse2, split_expand_chroma_avx2,
    split_yuyv_sse2,  split_expand_yuyv_avx2, split_uyvy_sse2,   split_expand_uyvy_sse2,
};

const ck_rows *ck_rows_for(ck_widest_loops loops) {
    if (loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2")) return &avx2_rows;
    return loops <= CK_SSE_LOOPS ? &sse2_rows : &portable_rows;
}

#else

const ck_rows *ck_rows_for(ck_widest_loops loops) {
    (void)loops;
    return &portable_rows;
}

#endif
