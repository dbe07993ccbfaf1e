import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { CustomTypesConfig } from 'pg'
import type { Db } from '../../../control-plane/src/db/database.ts'
import type { prepared as ours } from '../../../control-plane/src/db/prepared.ts'

/**
 * drizzle's own prepared statements, with its compiled mapping. They belong to one session: the
 * pool's are kept, those of a transaction are made anew in each.
 */
const { dialect } = drizzle.mock({ jit: true }) as unknown as { dialect: Dialect }

interface Built {
  toSQL(): { sql: string; params: unknown[] }
}
interface Dialect {
  sqlToQuery(words: SQL): { sql: string; params: unknown[] }
  readonly mapperGenerators: { rows(fields: unknown, nullable: unknown): unknown }
}
interface Select extends Built {
  getSQL(casts: boolean): SQL
  _resolveSelection(): readonly { path: string[] }[]
}
interface Session {
  prepareQuery(query: unknown, mode: string, name: boolean, mapper: unknown): Prepared
}
interface Prepared {
  execute(given: object): Promise<Record<string, unknown>[]>
}

const plainDialect = new PgDialect()
export const statement = (words: SQL): Built => ({ toSQL: () => plainDialect.sqlToQuery(words) })

const asText = (row: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Date) row[name] = value.toISOString()
  return row
}

function queryOf(fields: readonly string[], query: Built) {
  if ('_resolveSelection' in query) {
    // Built without a database, which knows how to decode columns.
    const select = Object.assign(query as Select, { dialect })
    const mapper = dialect.mapperGenerators.rows(select._resolveSelection(), undefined)
    return (session: Session) =>
      session.prepareQuery(dialect.sqlToQuery(select.getSQL(true)), 'arrays', true, mapper)
  }
  const mapper = (rows: unknown[][]) =>
    rows.map((cells) => Object.fromEntries(fields.map((name, at) => [name, cells[at]])))
  return (session: Session) => session.prepareQuery(query.toSQL(), 'arrays', true, mapper)
}

export const prepared: typeof ours = <Row extends object, Given extends object>(
  fields: readonly (keyof Row & string)[],
  query: Built,
  types?: CustomTypesConfig,
) => {
  const prepare = queryOf(fields, query)
  const kept = new WeakMap<Session, Prepared>()
  return async (db: Db, given: Given): Promise<Row[]> => {
    const session = db._.session as unknown as Session
    const known = kept.get(session) ?? prepare(session)
    kept.set(session, known)
    const rows = await known.execute(given)
    return (types ? rows.map(asText) : rows) as Row[]
  }
}

export const preparedForKeys =
  <Row extends object>(
    fields: readonly (keyof Row & string)[],
    build: (keys: SQL) => Built,
    types?: CustomTypesConfig,
  ) =>
  async (db: Db, keys: readonly unknown[]): Promise<Row[]> => {
    if (keys.length === 0) return []
    const query = build(
      sql.join(
        keys.map((key) => sql`${key}`),
        sql`, `,
      ),
    )
    const rows = await queryOf(fields, query)(db._.session as unknown as Session).execute({})
    return (types ? rows.map(asText) : rows) as Row[]
  }
