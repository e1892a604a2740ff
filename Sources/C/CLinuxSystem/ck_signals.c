#define _GNU_SOURCE
#include "ck_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static int read_end = -1;
// Read by the handler, which may interrupt anything.
static atomic_int write_end = -1;

int ck_signal_pipe(void) {
    int result;
    pthread_mutex_lock(&making);
    if (read_end < 0) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
            read_end = ends[0];
            write_end = ends[1];
        }
    }
    result = read_end < 0 ? -errno : read_end;
    pthread_mutex_unlock(&making);
    return result;
}

// Only what signal-safety(7) allows.
static void note(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe has signals enough.
    if (write(write_end, &byte, 1) < 0) {
    }
    errno = saved;
}

int ck_catch_signal(int number) {
    struct sigaction old, new = {.sa_handler = note, .sa_flags = SA_RESTART};
    if (sigaction(number, NULL, &old) != 0) return -errno;
    if (old.sa_handler == SIG_IGN) return 1;
    sigemptyset(&new.sa_mask);
    return sigaction(number, &new, NULL) == 0 ? 0 : -errno;
}

int ck_next_signal(void) {
    unsigned char byte = 0;
    return read_end >= 0 && read(read_end, &byte, 1) == 1 ? byte : 0;
}

void ck_release_signal(int number) { signal(number, SIG_DFL); }
