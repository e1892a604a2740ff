// Calls that the platform's Swift module does not carry.
#pragma once

/// eventfd(2), non-blocking and close-on-exec. Returns a descriptor, or -errno.
int ck_eventfd(void);
