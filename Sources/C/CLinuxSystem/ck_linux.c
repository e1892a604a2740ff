#include "ck_linux.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

int ck_eventfd(void) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int ck_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}
