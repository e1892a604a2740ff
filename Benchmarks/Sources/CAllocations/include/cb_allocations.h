// Counts what this process takes from the heap: the program's own `malloc` family stands before
// the C library's, which every library of the process then uses.
#pragma once
#include <stdint.h>

struct cb_allocations {
  uint64_t count;
  uint64_t bytes;
};

/// All heap blocks handed out since this was first asked, in all threads; before, counting costs
/// nothing.
struct cb_allocations cb_allocations_now(void);
