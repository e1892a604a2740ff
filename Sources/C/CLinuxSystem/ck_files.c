#define _GNU_SOURCE
#include "ck_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

long ck_get_attribute(int descriptor, const char *name, void *bytes, unsigned long room) {
    return fgetxattr(descriptor, name, bytes, room);
}

int ck_set_attribute(int descriptor, const char *name, const void *bytes, unsigned long count) {
    return fsetxattr(descriptor, name, bytes, count, 0);
}

int ck_touch_access(int descriptor) {
    const struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
    return futimens(descriptor, times);
}

int ck_touch(const char *path, int contents) {
    const struct timespec times[2] = {{0, UTIME_NOW}, {0, contents ? UTIME_NOW : UTIME_OMIT}};
    return utimensat(AT_FDCWD, path, times, 0);
}

int ck_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int ck_open_unnamed(const char *folder, unsigned permissions) {
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, permissions);
}

int ck_name_open_file(int descriptor, const char *path) {
    char source[32];
    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

long long ck_mount_number(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) != 0) return -1;
    return status.stx_mask & STATX_MNT_ID ? (long long)status.stx_mnt_id : 0;
}

int ck_set_modified(int descriptor, long long nanoseconds) {
    long long seconds = nanoseconds / 1000000000, rest = nanoseconds % 1000000000;
    if (rest < 0) {
        rest += 1000000000;
        seconds -= 1;
    }
    const struct timespec times[2] = {{0, UTIME_OMIT}, {seconds, rest}};
    return futimens(descriptor, times);
}
