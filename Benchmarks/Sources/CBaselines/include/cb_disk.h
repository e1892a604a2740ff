// What a plain C program would do to keep pictures in files, and beside it in SQLite.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Writes `temporary` and renames it to `path`; with `is_durable` the file and its folder are
/// synchronized. Returns 0, or -1 with errno.
int cb_disk_put(
  const char *folder, const char *temporary, const char *path, const void *bytes, size_t count,
  int is_durable);

/// Opens, reads into memory that is there already, reads the attribute, computes the checksum and
/// notes the use. Returns the bytes read, or -1 where a call fails.
long cb_disk_get(const char *path, const char *attribute, void *memory, size_t room);

/// A database with one table of blobs, in WAL mode; with `is_durable` each change is synchronized.
struct cb_blobs;

struct cb_blobs *cb_blobs_open(const char *path, int is_durable);
void cb_blobs_close(struct cb_blobs *blobs);
/// Each returns 0 or the bytes read; -1 where SQLite refuses.
int cb_blobs_put(struct cb_blobs *blobs, const char *key, const void *bytes, size_t count);
long cb_blobs_get(struct cb_blobs *blobs, const char *key, void *memory, size_t room);
