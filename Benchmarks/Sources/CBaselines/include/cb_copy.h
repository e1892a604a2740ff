#pragma once
#include <stddef.h>
#include <stdint.h>

/// memcpy, out of line so that nothing is left out.
void cb_copy(uint8_t *to, const uint8_t *from, size_t count);
