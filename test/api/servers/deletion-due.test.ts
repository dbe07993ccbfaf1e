import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteDue } from '../../../control-plane/src/domains/servers/lifecycle/self-service.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('a server that cannot be deleted when it is due delays no other', async () => {
  const { pool } = lodge.database
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const { id: ownerId } = await lodge.customer()
  const make = () => lodge.server({ ownerId, templateId, nodeId, start: false })
  const [faulty, other] = [await make(), await make()]
  await pool.query(
    `update servers set delete_at = now() - case id when $1 then interval '2 days' else interval '1 day' end`,
    [faulty],
  )
  await pool.query(`create function fails() returns trigger language plpgsql as
    $$ begin raise exception 'for a test'; end $$`)
  await pool.query(`create trigger fails before update on servers for each row
    when (old.id = '${faulty}') execute function fails()`)
  expect(await deleteDue(lodge.controlPlane.services)).toBe(1)
  const { rows } = await pool.query(
    `select server_id from jobs where kind = 'server.delete' and ended_at is null`,
  )
  expect(rows).toEqual([{ server_id: other }])
})
