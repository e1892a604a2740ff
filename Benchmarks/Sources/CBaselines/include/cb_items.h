// What a plain C program would do with a database of items: one prepared statement, one loop.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A connection to a database that is there, with each change on the disk when it returns.
struct cb_items;

struct cb_items *cb_items_open(const char *path);
void cb_items_close(struct cb_items *items);

/// Changes one item's value. Returns 0, or -1 where SQLite refuses or there is no such item.
int cb_items_edit(struct cb_items *items, const char *key, int64_t value);

/// Reads all items in their order into structures of their own, texts and all, and frees them.
/// Returns how many there were, or -1 where something fails.
long cb_items_load(const char *path);

/// What this process has of the heap, in bytes.
size_t cb_heap_in_use(void);
