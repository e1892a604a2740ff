#include "cb_allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// The C library's own, under the names that it keeps for programs which replace `malloc`.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_bool is_counting;
static atomic_uint_fast64_t count, bytes;

static void note(size_t size) {
  if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

struct cb_allocations cb_allocations_now(void) {
  atomic_store_explicit(&is_counting, 1, memory_order_relaxed);
  return (struct cb_allocations){
    atomic_load_explicit(&count, memory_order_relaxed),
    atomic_load_explicit(&bytes, memory_order_relaxed)};
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
  note(items * size);
  return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
  note(size);
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (!result) return ENOMEM;
  *block = result;
  return 0;
}
