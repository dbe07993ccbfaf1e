import { expect, test } from 'vitest'
import { freshDatabase } from '../../support/database.ts'

test('every foreign key has an index, so that whatever it leads to is deleted without reading its whole table', async () => {
  const database = await freshDatabase()
  try {
    const { rows } = await database.pool.query<{ key: string; indexed: boolean }>(`
      select c.conrelid::regclass || ' (' || (
          select string_agg(a.attname, ', ' order by place)
          from unnest(c.conkey) with ordinality as k(number, place)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
        ) || ')' as key,
        exists (
          select from pg_index i
          where i.indrelid = c.conrelid and i.indisvalid and i.indpred is null
            -- Its first columns are those of the key, in any order.
            and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        ) as indexed
      from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      order by key`)
    expect(rows.length).toBeGreaterThan(100)
    // Where they are missing, docs/adding-a-migration.md says how to add them.
    expect(rows.filter(({ indexed }) => !indexed).map(({ key }) => key)).toEqual([])
  } finally {
    await database.drop()
  }
})
