#include "cb_items.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct cb_items {
  sqlite3 *database;
  sqlite3_stmt *edit;
};

struct cb_items *cb_items_open(const char *path) {
  struct cb_items *items = calloc(1, sizeof *items);
  if (!items) return NULL;
  if (sqlite3_open_v2(path, &items->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
      || sqlite3_exec(items->database, "PRAGMA synchronous = FULL", NULL, NULL, NULL)
      || sqlite3_prepare_v2(
        items->database, "UPDATE items SET valueInDollars = ? WHERE itemKey = ?", -1, &items->edit,
        NULL)) {
    cb_items_close(items);
    return NULL;
  }
  return items;
}

void cb_items_close(struct cb_items *items) {
  sqlite3_finalize(items->edit);
  sqlite3_close(items->database);
  free(items);
}

int cb_items_edit(struct cb_items *items, const char *key, int64_t value) {
  sqlite3_bind_int64(items->edit, 1, value);
  sqlite3_bind_text(items->edit, 2, key, -1, SQLITE_STATIC);
  int code = sqlite3_step(items->edit);
  sqlite3_reset(items->edit);
  return code == SQLITE_DONE && sqlite3_changes(items->database) == 1 ? 0 : -1;
}

struct item {
  char *key, *name, *serial, *category;
  int64_t value;
  double date;
};

static char *copied(sqlite3_stmt *rows, int column) {
  const void *text = sqlite3_column_text(rows, column);
  if (!text) return NULL;
  size_t count = (size_t)sqlite3_column_bytes(rows, column);
  char *copy = malloc(count + 1);
  if (copy) memcpy(copy, text, count + 1);
  return copy;
}

long cb_items_load(const char *path) {
  sqlite3 *database = NULL;
  sqlite3_stmt *rows = NULL;
  struct item *items = NULL;
  size_t count = 0, room = 0;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (!code)
    code = sqlite3_prepare_v2(
      database,
      "SELECT itemKey, name, valueInDollars, serialNumber, dateCreated, category, unknownValues, raw"
      " FROM items ORDER BY position", -1, &rows, NULL);
  while (!code && (code = sqlite3_step(rows)) == SQLITE_ROW) {
    if (count == room) {
      room = room ? 2 * room : 1024;
      struct item *more = realloc(items, room * sizeof *items);
      if (!more) break;
      items = more;
    }
    items[count++] = (struct item){
      .key = copied(rows, 0), .name = copied(rows, 1), .value = sqlite3_column_int64(rows, 2),
      .serial = copied(rows, 3), .date = sqlite3_column_double(rows, 4),
      .category = copied(rows, 5)};
    code = SQLITE_OK;
  }
  for (size_t index = 0; index < count; index++) {
    free(items[index].key);
    free(items[index].name);
    free(items[index].serial);
    free(items[index].category);
  }
  free(items);
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return code == SQLITE_DONE ? (long)count : -1;
}

size_t cb_heap_in_use(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
