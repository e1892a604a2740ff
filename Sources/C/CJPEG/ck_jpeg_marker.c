#include "ck_jpeg.h"

// In entropy-coded data 0xFF is followed by a zero that the coder stuffed, or by a restart marker; a second
// 0xFF is filling.
static inline int is_marker(uint8_t code, int restarts) {
    return code != 0x00 && code != 0xFF && (restarts || !(code >= 0xD0 && code <= 0xD7));
}

static size_t next_marker(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts) {
    for (; offset + 1 < byte_count; offset++)
        if (bytes[offset] == 0xFF && is_marker(bytes[offset + 1], restarts)) return offset;
    return byte_count;
}

#if defined(__x86_64__)

#include <immintrin.h>

// These loops only look whether a block of bytes has a 0xFF that no zero follows; the plain loop looks closer.

static size_t next_marker_sse2(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts) {
    const __m128i ones = _mm_set1_epi8((char)0xFF), zero = _mm_setzero_si128();
    while (offset + 65 <= byte_count) {
        __m128i found = zero;
        for (int part = 0; part < 64; part += 16) {
            __m128i first = _mm_loadu_si128((const __m128i *)(bytes + offset + part));
            __m128i second = _mm_loadu_si128((const __m128i *)(bytes + offset + part + 1));
            found = _mm_or_si128(found, _mm_andnot_si128(_mm_cmpeq_epi8(second, zero),
                                                         _mm_cmpeq_epi8(first, ones)));
        }
        if (_mm_movemask_epi8(found)) {
            size_t place = next_marker(bytes, offset, offset + 65, restarts);
            if (place < offset + 65) return place;
        }
        offset += 64;
    }
    return next_marker(bytes, offset, byte_count, restarts);
}

__attribute__((target("avx2")))
static size_t next_marker_avx2(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts) {
    const __m256i ones = _mm256_set1_epi8((char)0xFF), zero = _mm256_setzero_si256();
    while (offset + 129 <= byte_count) {
        __m256i found = zero;
        for (int part = 0; part < 128; part += 32) {
            __m256i first = _mm256_loadu_si256((const __m256i *)(bytes + offset + part));
            __m256i second = _mm256_loadu_si256((const __m256i *)(bytes + offset + part + 1));
            found = _mm256_or_si256(found, _mm256_andnot_si256(_mm256_cmpeq_epi8(second, zero),
                                                               _mm256_cmpeq_epi8(first, ones)));
        }
        if (_mm256_movemask_epi8(found)) {
            size_t place = next_marker(bytes, offset, offset + 129, restarts);
            if (place < offset + 129) return place;
        }
        offset += 128;
    }
    return next_marker(bytes, offset, byte_count, restarts);
}

__attribute__((target("avx512bw")))
static size_t next_marker_avx512(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts) {
    const __m512i ones = _mm512_set1_epi8((char)0xFF);
    // From where no load of the first bytes crosses a cache line.
    size_t head = offset + (-(uintptr_t)(bytes + offset) & 63);
    if (head + 1 <= byte_count) {
        size_t place = next_marker(bytes, offset, head + 1, restarts);
        if (place < head + 1) return place;
        offset = head;
    }
    while (offset + 257 <= byte_count) {
        __mmask64 found = 0;
        for (int part = 0; part < 256; part += 64) {
            __m512i first = _mm512_loadu_si512(bytes + offset + part);
            __m512i second = _mm512_loadu_si512(bytes + offset + part + 1);
            found |= _mm512_mask_test_epi8_mask(_mm512_cmpeq_epi8_mask(first, ones), second, second);
        }
        if (found) {
            size_t place = next_marker(bytes, offset, offset + 257, restarts);
            if (place < offset + 257) return place;
        }
        offset += 256;
    }
    return next_marker(bytes, offset, byte_count, restarts);
}

size_t ck_jpeg_next_marker(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts,
                           ck_widest_loops loops) {
    if (loops <= CK_AVX512_LOOPS && __builtin_cpu_supports("avx512bw"))
        return next_marker_avx512(bytes, offset, byte_count, restarts);
    if (loops <= CK_AVX2_LOOPS && __builtin_cpu_supports("avx2"))
        return next_marker_avx2(bytes, offset, byte_count, restarts);
    if (loops <= CK_SSE_LOOPS) return next_marker_sse2(bytes, offset, byte_count, restarts);
    return next_marker(bytes, offset, byte_count, restarts);
}

#else

size_t ck_jpeg_next_marker(const uint8_t *bytes, size_t offset, size_t byte_count, int restarts,
                           ck_widest_loops loops) {
    (void)loops;
    return next_marker(bytes, offset, byte_count, restarts);
}

#endif
