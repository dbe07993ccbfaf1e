import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database.ts'
import { timestampAsText, timestampOf } from './timestamps.ts'

const timestamps = fc.sample(
  fc.tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('', '0', '007', '120', '999'),
  ),
  400,
)

test('a timestamp is parsed to the millisecond, in every format that PostgreSQL writes', async () => {
  const fresh = await freshDatabase()
  const client = new pg.Client({ connectionString: fresh.url })
  await client.connect()
  for (const zone of ['UTC', 'Asia/Kolkata']) {
    await client.query(`set timezone to '${zone}'`)
    const { rows } = await client.query<{ text: string; milliseconds: number }>(
      `select at::text as text, floor(extract(epoch from at) * 1000)::float8 as milliseconds
       from (select text::timestamptz as at from unnest($1::text[]) text
         union all values (timestamptz '2026-02-28 23:59:59+00'), ('2026-02-28 23:59:59.1+00'),
           ('0044-03-15 12:00:00+00 BC'), ('12026-01-01 00:00:00+00')) timestamps`,
      [timestamps.map(([date, more]) => date.toISOString().replace('Z', `${more}Z`))],
    )
    expect(rows.length).toBeGreaterThan(400)
    for (const { text, milliseconds } of rows) {
      expect(timestampOf(text).getTime(), text).toBe(milliseconds)
      expect(timestampAsText(text), text).toBe(new Date(milliseconds).toISOString())
    }
  }
  await client.end()
  await fresh.drop()
})
