// XXH3 of 128 bits, as fast as the processor can.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t high, low;
} ck_checksum;

/// The checksum of `count` bytes; on a processor with AVX2 in half the time that the library takes,
/// which distributions build for the oldest ones.
ck_checksum ck_checksum_of(const void *_Nullable bytes, size_t count);

/// The same with the library's own code.
ck_checksum ck_checksum_by_library(const void *_Nullable bytes, size_t count);
