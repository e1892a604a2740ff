#include "cb_copy.h"

#include <string.h>

__attribute__((noinline)) void cb_copy(uint8_t *to, const uint8_t *from, size_t count) {
  memcpy(to, from, count);
  __asm__ volatile("" : : "r"(to) : "memory");
}
