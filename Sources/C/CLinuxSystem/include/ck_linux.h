// Calls that the platform's Swift module does not carry.
#pragma once

/// eventfd(2), non-blocking and close-on-exec. Returns a descriptor, or -errno.
int ck_eventfd(void);

/// ioctl(2), which is variadic, with a pointer argument. Returns -1 and sets errno on failure.
int ck_ioctl(int descriptor, unsigned long request, void *_Nonnull argument);

/// Names the calling thread; the kernel keeps 15 bytes. See PR_SET_NAME in prctl(2).
void ck_set_thread_name(const char *_Nonnull name);

/// sem_clockwait(3) until a moment of CLOCK_MONOTONIC, in nanoseconds. Returns -1 and sets errno
/// on failure.
int ck_semaphore_wait(void *_Nonnull semaphore, unsigned long long deadline);

/// malloc_trim(3) of all that is free. Returns 1 where memory went back to the system, otherwise 0.
int ck_return_memory(void);

/// sched_getcpu(3): the number of the processor that runs the caller, or -1.
int ck_processor(void);

/// The end of the process's pipe of signals to wait on, made by the first call. Returns a
/// descriptor, which stays open and belongs to nobody else, or -errno.
int ck_signal_pipe(void);

/// Writes the signal to the pipe from now on instead of ending the process. Programs that this
/// one starts are not affected. Returns 0, 1 where the process ignores the signal and goes on to,
/// or -errno.
int ck_catch_signal(int number);

/// The next signal of the pipe; 0 where there is none.
int ck_next_signal(void);

/// Lets the signal do what it does by default. See signal(7).
void ck_release_signal(int number);
