#define _GNU_SOURCE
#include "ck_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 512 };

static struct {
    int descriptor, wake;
    struct termios before;
    char enter[MOST_BYTES], leave[MOST_BYTES];
} terminal = {.descriptor = -1, .wake = -1};

// Whoever sets it to 0 restores the terminal; pictures are written while it is 1.
static atomic_int is_entered;
static atomic_int is_gone;

int ck_terminal_open(int descriptor) {
    if (!isatty(descriptor)) return -ENOTTY;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    int opened = open(path, flags);
    // After su(1) the terminal is another user's; the name that all may open stands for it too.
    if (opened < 0) opened = open("/dev/tty", flags);
    return opened < 0 ? -errno : opened;
}

int ck_terminal_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -errno;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

ck_terminal_size ck_terminal_size_of(int descriptor) {
    struct winsize size = {0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return (ck_terminal_size){0};
    return (ck_terminal_size){size.ws_col, size.ws_row, size.ws_xpixel, size.ws_ypixel};
}

int ck_terminal_is_in_background(void) {
    pid_t front = tcgetpgrp(terminal.descriptor);
    return front > 0 && front != getpgrp();
}

// MARK: - Bytes

long ck_terminal_write(const void *bytes, size_t count) {
    // While another thread restores the terminal no picture may follow.
    if (!atomic_load(&is_entered)) return 0;
    ssize_t written = write(terminal.descriptor, bytes, count);
    if (written >= 0) return written;
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

long ck_terminal_read(void *bytes, size_t count) {
    ssize_t got = read(terminal.descriptor, bytes, count);
    if (got > 0) return got;
    // So the kernel says also that another job has the terminal.
    if (got < 0 && errno == EIO && ck_terminal_is_in_background()) return -EAGAIN;
    if (got == 0 || errno == EIO) {
        atomic_store(&is_gone, 1);
        return -EIO;
    }
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

// Writes all, or gives up after a quarter of a second: a terminal may read nothing, or be busy with another thread's
// bytes. Returns whether all is written.
static int put(const char *bytes) {
    size_t left = strlen(bytes);
    for (int turn = 0; left > 0 && turn < 25; turn++) {
        ssize_t written = write(terminal.descriptor, bytes, left);
        if (written < 0 && errno != EAGAIN && errno != EINTR) return 1;
        if (written > 0) {
            bytes += written;
            left -= (size_t)written;
        }
        if (left > 0) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return left == 0;
}

// MARK: - In and out

int ck_terminal_enter(void) {
    struct termios mode;
    if (!atomic_load(&is_entered) && tcgetattr(terminal.descriptor, &terminal.before) != 0) return -errno;
    mode = terminal.before;
    mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    mode.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | ISTRIP);
    mode.c_oflag &= ~(tcflag_t)OPOST;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    // In this order: whoever finds it set restores what may be changed.
    atomic_store(&is_entered, 1);
    if (tcsetattr(terminal.descriptor, TCSANOW, &mode) != 0) {
        int number = errno;
        atomic_store(&is_entered, 0);
        return -number;
    }
    put(terminal.enter);
    return 0;
}

void ck_terminal_leave(void) {
    if (!atomic_exchange(&is_entered, 0)) return;
    int number = errno;
    // In the background the terminal's mode is set all the same, instead of stopping the program.
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    if (!put(terminal.leave)) {
        tcflush(terminal.descriptor, TCOFLUSH);
        put(terminal.leave);
    }
    tcsetattr(terminal.descriptor, TCSANOW, &terminal.before);
    // Answers of the terminal that nobody has read would be typed into the shell.
    tcflush(terminal.descriptor, TCIFLUSH);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = number;
}

// MARK: - Signals

// SIGWINCH, SIGCONT and the like are told; those of a crash, and SIGQUIT, which leaves a core, end the program here.
static const int told[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
static const int fatal[] = {SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS};
enum { TOLD = sizeof told / sizeof *told, FATAL = sizeof fatal / sizeof *fatal };
static struct sigaction old_told[TOLD], old_fatal[FATAL];

static void tell(int number) {
    int error = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe has woken the reader already.
    if (write(terminal.wake, &byte, 1) < 0) errno = error;
    errno = error;
}

static void crash(int number) {
    ck_terminal_leave();
    for (int i = 0; i < FATAL; i++)
        if (fatal[i] == number) sigaction(number, &old_fatal[i], NULL);
    // It comes as soon as this returns, and does what it did before.
    raise(number);
}

// Those that are ignored stay so: SIGHUP of nohup(1), SIGQUIT of a shell without job control.
static void take(int number, void (*handler)(int), int may_be_ignored, struct sigaction *old) {
    sigaction(number, NULL, old);
    if (may_be_ignored && old->sa_handler == SIG_IGN) return;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

int ck_terminal_begin(int descriptor, int wake, const char *enter, const char *leave) {
    if (strlen(enter) >= MOST_BYTES || strlen(leave) >= MOST_BYTES) return -EINVAL;
    if (terminal.descriptor >= 0) return -EBUSY;
    terminal.descriptor = descriptor;
    terminal.wake = wake;
    atomic_store(&is_gone, 0);
    strcpy(terminal.enter, enter);
    strcpy(terminal.leave, leave);
    static atomic_int is_registered;
    if (!atomic_exchange(&is_registered, 1)) atexit(ck_terminal_leave);
    for (int i = 0; i < FATAL; i++) take(fatal[i], crash, 1, &old_fatal[i]);
    for (int i = 0; i < TOLD; i++)
        take(told[i], tell, told[i] == SIGHUP || told[i] == SIGTSTP, &old_told[i]);
    return 0;
}

void ck_terminal_end(void) {
    ck_terminal_leave();
    if (terminal.descriptor < 0) return;
    for (int i = 0; i < FATAL; i++) sigaction(fatal[i], &old_fatal[i], NULL);
    for (int i = 0; i < TOLD; i++)
        if (told[i] == SIGHUP && atomic_load(&is_gone))
            signal(SIGHUP, SIG_IGN);
        else
            sigaction(told[i], &old_told[i], NULL);
    terminal.descriptor = terminal.wake = -1;
}

void ck_terminal_suspend(void) {
    ck_terminal_leave();
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
    sigaction(SIGTSTP, &usual, &ours);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    // To this very thread, which so goes no step further before the program stops.
    pthread_sigmask(SIG_UNBLOCK, &set, &old);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

void ck_terminal_stop_in_background(void) { kill(0, SIGTTOU); }
