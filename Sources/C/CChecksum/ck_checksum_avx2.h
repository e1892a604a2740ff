#pragma once

#include "ck_checksum.h"

#if defined(__x86_64__)
/// Only for processors that have AVX2.
ck_checksum ck_checksum_avx2(const void *bytes, size_t count);
#endif
