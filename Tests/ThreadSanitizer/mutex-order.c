// Tells the thread sanitizer what it does not see of Swift's `Mutex`.
//
// A mutex that is fought over is taken and given on within the Synchronization library, which is
// not built with the sanitizer, and by the kernel (FUTEX_LOCK_PI, see futex(2)). The sanitizer sees
// no order between the two threads there and calls correct code a race. This library is preloaded
// into the tests; it stands before the three functions and notes the order.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// In programs that are built with the sanitizer; absent in others.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void ck_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void ck_lock_slow(uint32_t thread, SELF) {
  static SWIFT void (*next)(uint32_t, SELF);
  if (!next) next = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool ck_try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT bool ck_try_lock_slow(SELF) {
  static SWIFT bool (*next)(SELF);
  if (!next) next = (SWIFT bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  bool is_locked = next(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void ck_unlock_slow(SELF) __asm__(UNLOCK_SLOW);
SWIFT void ck_unlock_slow(SELF) {
  static SWIFT void (*next)(SELF);
  if (!next) next = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(mutex);
  next(mutex);
}
