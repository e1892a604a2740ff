#include "ck_checksum.h"

#include "ck_checksum_avx2.h"

#include <xxhash.h>

ck_checksum ck_checksum_by_library(const void *bytes, size_t count) {
    XXH128_hash_t hash = XXH3_128bits(bytes, count);
    return (ck_checksum){hash.high64, hash.low64};
}

ck_checksum ck_checksum_of(const void *bytes, size_t count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return ck_checksum_avx2(bytes, count);
#endif
    return ck_checksum_by_library(bytes, count);
}
