import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'
import { fingerprint } from './fingerprint.ts'

test('sees every change except the removal of expired rows', async () => {
  await using lodge = await startLodge()
  const { pool } = lodge.database
  const customer = await lodge.customer()
  for (const days of [-1, 1])
    await pool.query(
      `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at)
       values (gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), '', '', now() + make_interval(days => $2))`,
      [customer.id, days],
    )
  const before = await fingerprint(pool)
  await pool.query('delete from sessions where expires_at < now()')
  expect(await fingerprint(pool)).toEqual(before)
  await pool.query('delete from sessions where expires_at > now()')
  await pool.query(`update users set name = 'Somebody else' where id = $1`, [customer.id])
  expect(await fingerprint(pool)).not.toEqual(before)
})
