import type pg from 'pg'

/** Budgets are taken also by who is refused; sessions remember when they were last seen; the clock sums up figures, works off requests and seals the record. */
const LEFT_OUT = [
  'rate_limits',
  'sessions.last_seen_at',
  'metrics_progress',
  'reset_requests',
  'signup_requests',
  'audit_seals',
  'audit_log.seal',
]

let statement: Promise<string> | undefined

/** Count and sum of the rows of every table: when two are equal, nothing was changed between them. */
export async function fingerprint(pool: pg.Pool): Promise<Record<string, string>> {
  statement ??= build(pool)
  const { rows } = await pool.query<{ name: string; sum: string }>(await statement)
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

async function build(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ table_name: string; columns: string[] }>(`
    select c.relname as table_name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`)
  return rows
    .filter((row) => !LEFT_OUT.includes(row.table_name))
    .map(({ table_name, columns }) => {
      const kept = columns.filter((column) => !LEFT_OUT.includes(`${table_name}.${column}`))
      const row = `row(${kept.map((column) => `"${column}"`).join(', ')})::text`
      return `select '${table_name}' as name, count(*) || ':' || coalesce(sum(hashtextextended(${row}, 0)), 0) as sum from "${table_name}"`
    })
    .join(' union all ')
}
