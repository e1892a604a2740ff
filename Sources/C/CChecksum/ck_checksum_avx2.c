// The library's header holds all of its code; here it is compiled for AVX2.
#include "ck_checksum_avx2.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include <xxhash.h>

ck_checksum ck_checksum_avx2(const void *bytes, size_t count) {
    XXH128_hash_t hash = XXH3_128bits(bytes, count);
    return (ck_checksum){hash.high64, hash.low64};
}
#pragma clang attribute pop

#endif
