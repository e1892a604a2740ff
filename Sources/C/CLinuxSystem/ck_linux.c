#define _GNU_SOURCE
#include "ck_linux.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>

int ck_eventfd(void) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int ck_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

void ck_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int ck_semaphore_wait(void *semaphore, unsigned long long deadline) {
    struct timespec time = {deadline / 1000000000, deadline % 1000000000};
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &time);
}

int ck_return_memory(void) { return malloc_trim(0); }

int ck_processor(void) { return sched_getcpu(); }
