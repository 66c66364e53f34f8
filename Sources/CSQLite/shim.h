#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift cannot call. */
static inline int plot_sqlite3_set_checkpoint_on_close(sqlite3 *db, int on) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}
