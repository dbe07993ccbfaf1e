import { sql } from 'drizzle-orm'
import { check, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { counter, moment } from '../../../db/columns.ts'

/** Which PostgreSQL this database is in, and how far it has come: together they reveal a set-back. */
export const databaseLineage = pgTable(
  'database_lineage',
  {
    /** Always 1. */
    id: smallint('id').primaryKey().default(1),
    /** System identifier of the cluster; null where the application's role may not query it. */
    systemIdentifier: text('system_identifier'),
    /** Increases with each promotion and each point-in-time recovery. */
    timeline: integer('timeline'),
    /** Increases every few seconds: an instance that has seen a higher one knows of a set-back. */
    mark: counter('mark').notNull().default(0),
    /** How often the database was found to be set back. */
    setBacks: integer('set_backs').notNull().default(0),
    /** Id of the latest one, because a set-back may also undo the number. */
    setBackId: uuid('set_back_id'),
    setBackAt: moment('set_back_at'),
    setBackWhy: text('set_back_why'),
  },
  (table) => [check('database_lineage_one', sql`${table.id} = 1`)],
)
