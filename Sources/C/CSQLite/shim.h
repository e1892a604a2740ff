#include <sqlite3.h>

/* Whether the log stays as it is when the connection closes; variadic in SQLite. */
static inline int ck_sqlite_keep_log(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
