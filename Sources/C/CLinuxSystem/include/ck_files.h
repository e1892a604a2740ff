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

/// Gives a file another name that is free. Returns -1 and sets errno on failure: EEXIST where the
/// name is not free, EINVAL where the file system does not know of this. See renameat2(2).
int ck_rename_new(int from_folder, const char *_Nonnull from, int to_folder,
                  const char *_Nonnull to);

/// Makes a file without a name in a folder, to be written. Returns a descriptor, or -1 and sets
/// errno: EOPNOTSUPP, EISDIR or EINVAL where the file system has no such files. See O_TMPFILE in
/// open(2).
int ck_open_unnamed(const char *_Nonnull folder, unsigned permissions);

/// Gives a file of `ck_open_unnamed` a name that is free. Returns -1 and sets errno on failure.
int ck_name_open_file(int descriptor, const char *_Nonnull path);

/// Which mount a file lies in: only within one can files be moved. Returns 0 where the kernel does
/// not tell (before 5.8), -1 and sets errno on failure.
long long ck_mount_number(int descriptor);

/// Sets the time of the contents, in nanoseconds since 1970. Returns -1 and sets errno on failure.
int ck_set_modified(int descriptor, long long nanoseconds);
