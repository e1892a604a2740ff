#define _GNU_SOURCE
#include "cb_disk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <xxhash.h>

int cb_disk_put(
  const char *folder, const char *temporary, const char *path, const void *bytes, size_t count,
  int is_durable) {
  int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  int failed = write(file, bytes, count) != (ssize_t)count;
  if (is_durable) failed |= fsync(file);
  failed |= close(file);
  if (failed || rename(temporary, path)) return -1;
  if (!is_durable) return 0;
  int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return -1;
  failed = fsync(directory);
  return close(directory) | failed ? -1 : 0;
}

/// Keeps the compiler from leaving the checksum out.
static volatile uint64_t cb_checksum;

long cb_disk_get(const char *path, const char *attribute, void *memory, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, memory, room);
  char text[64];
  ssize_t length = fgetxattr(file, attribute, text, sizeof text);
  if (count >= 0) cb_checksum = XXH3_128bits(memory, count).low64;
  const struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  int failed = futimens(file, times);
  failed |= close(file);
  return failed || length < 0 ? -1 : count;
}

struct cb_blobs {
  sqlite3 *database;
  sqlite3_stmt *put, *get;
};

struct cb_blobs *cb_blobs_open(const char *path, int is_durable) {
  struct cb_blobs *blobs = calloc(1, sizeof *blobs);
  if (!blobs) return NULL;
  const char *setup = is_durable
    ? "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;CREATE TABLE b(k TEXT PRIMARY KEY,v BLOB)"
    : "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;CREATE TABLE b(k TEXT PRIMARY KEY,v BLOB)";
  if (sqlite3_open(path, &blobs->database) || sqlite3_exec(blobs->database, setup, 0, 0, 0)
      || sqlite3_prepare_v2(
        blobs->database, "INSERT OR REPLACE INTO b VALUES(?,?)", -1, &blobs->put, 0)
      || sqlite3_prepare_v2(blobs->database, "SELECT v FROM b WHERE k=?", -1, &blobs->get, 0)) {
    cb_blobs_close(blobs);
    return NULL;
  }
  return blobs;
}

void cb_blobs_close(struct cb_blobs *blobs) {
  sqlite3_finalize(blobs->put);
  sqlite3_finalize(blobs->get);
  sqlite3_close(blobs->database);
  free(blobs);
}

int cb_blobs_put(struct cb_blobs *blobs, const char *key, const void *bytes, size_t count) {
  sqlite3_bind_text(blobs->put, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_blob(blobs->put, 2, bytes, (int)count, SQLITE_STATIC);
  int result = sqlite3_step(blobs->put);
  sqlite3_reset(blobs->put);
  return result == SQLITE_DONE ? 0 : -1;
}

long cb_blobs_get(struct cb_blobs *blobs, const char *key, void *memory, size_t room) {
  sqlite3_bind_text(blobs->get, 1, key, -1, SQLITE_STATIC);
  long count = -1;
  if (sqlite3_step(blobs->get) == SQLITE_ROW) {
    count = sqlite3_column_bytes(blobs->get, 0);
    if ((size_t)count <= room) memcpy(memory, sqlite3_column_blob(blobs->get, 0), count);
  }
  sqlite3_reset(blobs->get);
  return count;
}
