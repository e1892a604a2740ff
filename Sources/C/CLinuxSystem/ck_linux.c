#include "ck_linux.h"

#include <errno.h>
#include <sys/eventfd.h>

int ck_eventfd(void) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}
