#define _GNU_SOURCE
#include "ck_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

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
