// Calls on files that the platform's Swift module does not carry.
#pragma once

/// fgetxattr(2). Returns the count of bytes, or -1 and sets errno.
long ck_get_attribute(int descriptor, const char *_Nonnull name, void *_Nonnull bytes,
                      unsigned long room);

/// fsetxattr(2), which makes the attribute or replaces it. Returns -1 and sets errno on failure.
int ck_set_attribute(int descriptor, const char *_Nonnull name, const void *_Nonnull bytes,
                     unsigned long count);

/// Says that a file was used now; the time of its contents stays. See futimens(2).
int ck_touch_access(int descriptor);

/// Sets the time of last use to now, that of the contents too where `contents` is not 0. See
/// utimensat(2).
int ck_touch(const char *_Nonnull path, int contents);
