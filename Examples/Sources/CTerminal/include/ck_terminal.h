#pragma once

// A terminal in raw mode, and the signals that must not leave it so. What a signal handler may do is all that is done
// here: no allocation, no lock, no Swift.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Cells, and pixels where the terminal knows them; else 0.
typedef struct ck_terminal_size {
    int columns, rows, width, height;
} ck_terminal_size;

// The terminal behind a descriptor, opened anew: a write that would wait returns, and whoever shares the descriptor
// notices nothing of that. Returns the descriptor or -errno; -ENOTTY where there is no terminal.
int ck_terminal_open(int descriptor);

// A pipe whose ends nobody waits at. Returns 0 or -errno.
int ck_terminal_pipe(int *_Nonnull reader, int *_Nonnull writer);

// Takes a terminal: its bytes on the way in and out, and the signals. Those that stop, continue, resize or end the
// program are written to `wake`, one byte each; those of a crash restore the terminal and then do what they did before.
// Returns 0 or -errno. There is one at a time.
int ck_terminal_begin(int descriptor, int wake, const char *_Nonnull enter, const char *_Nonnull leave);

// Whether another job has the terminal, which only the one in the foreground may read and set.
int ck_terminal_is_in_background(void);

// Stops the job, as the kernel does with one that sets the terminal from the background. It does not wait until that
// happens, and it does not where nobody could continue the job, or where it ignores SIGTTOU.
void ck_terminal_stop_in_background(void);

// Raw mode, but for the keys that send signals, and the bytes on the way in; again after each stop. Returns 0 or -errno.
int ck_terminal_enter(void);

// The mode that was before, and the bytes on the way out, whatever the terminal is at; only after having entered. Waits
// for a terminal that reads nothing half a second at most. From any thread, and from signal handlers.
void ck_terminal_leave(void);

// Leaves, and stops the program as Ctrl-Z does; returns when it is continued, or at once where nobody could do that.
void ck_terminal_suspend(void);

// Leaves, and gives the signals back; SIGHUP does nothing more where the terminal has gone, and it has been told.
void ck_terminal_end(void);

// Writes some of the bytes; returns how many, 0 where the terminal takes none now, or -errno.
long ck_terminal_write(const void *_Nonnull bytes, size_t count);

// Reads what there is; returns how many bytes, 0 where there are none now, or -errno; -EIO at the terminal's end,
// -EAGAIN in the background.
long ck_terminal_read(void *_Nonnull bytes, size_t count);

ck_terminal_size ck_terminal_size_of(int descriptor);

#ifdef __cplusplus
}
#endif
