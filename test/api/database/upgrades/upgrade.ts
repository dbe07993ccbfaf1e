import type pg from 'pg'
import type { Lodge } from '../../../support/stack.ts'

/** What a migration must do with a database that is in use. One file each, named after it. */
export interface Upgrade {
  /**
   * Inserts rows into the schema before the migration, beyond those of all earlier files: what it
   * alters, moves or constrains. SQL only, because the code of that schema is gone.
   */
  readonly before: readonly string[]
  /** Columns (`table.column`) and tables whose contents it changes or drops on purpose. */
  readonly changes?: readonly string[]
  /** Checks the rows, in the schema after the migration. */
  readonly after: (pool: pg.Pool) => Promise<void>
  /** Checks that the application works with the rows, once all migrations are applied. */
  readonly works?: (lodge: Lodge) => Promise<void>
}
