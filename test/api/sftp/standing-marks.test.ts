import { afterAll, beforeAll, expect, test } from 'vitest'
import { standingMarks } from '../../../control-plane/src/domains/sftp/store.ts'
import type { Caller } from '../../support/caller.ts'
import { type FileWorld, fileWorld } from '../files/world.ts'
import { share } from '../support/share.ts'

let world: FileWorld
let bob: Caller
beforeAll(async () => {
  world = await fileWorld()
  bob = await world.lodge.customer()
  await share(world.lodge, world.serverId, world.owner, bob, ['files.read', 'files.sftp'])
})
afterAll(() => world?.[Symbol.asyncDispose]())

test('every change that affects SFTP access changes the mark of the people concerned', async () => {
  const { serverId, owner, lodge } = world
  const { pool } = lodge.database
  const { db } = lodge.controlPlane.services
  const people = [owner, bob].map(({ id: userId }) => ({ userId, serverId }))
  const plan = crypto.randomUUID()
  await pool.query(`insert into plans (id, name, kind) values ($1, 'Some', 'account')`, [plan])
  const ways: readonly [string, readonly unknown[], readonly [boolean, boolean]][] = [
    [`update users set state = 'suspended' where id = $1`, [bob.id], [false, true]],
    [`update users set quota = '{"maySftp": false}' where id = $1`, [owner.id], [true, true]],
    [
      `insert into server_holds (server_id, kind, cause) values ($1, 'suspension', 'billing')`,
      [serverId],
      [true, true],
    ],
    [`delete from server_holds where server_id = $1`, [serverId], [true, true]],
    [
      `insert into jobs (id, kind, title, state, server_id, input, steps)
       values (gen_random_uuid(), 'server.storage', 'Job', 'running', $1, '{}', '[]')`,
      [serverId],
      [true, true],
    ],
    [`update jobs set ended_at = now() where kind = 'server.storage'`, [], [true, true]],
    [
      `insert into subscriptions (id, user_id, plan_id, status)
       values (gen_random_uuid(), $1, $2, 'active')`,
      [owner.id, plan],
      [true, true],
    ],
    [`update plans set limits = '{"maySftp": true}' where id = $1`, [plan], [true, true]],
    [`update subscriptions set status = 'cancelled'`, [], [true, true]],
    [
      `insert into settings (area, value) values ('any', '{}')
       on conflict (area) do update set value = excluded.value`,
      [],
      [true, true],
    ],
    [
      `update server_collaborators set permissions = '{files.read}' where user_id = $1`,
      [bob.id],
      [false, true],
    ],
    [`delete from server_collaborators where user_id = $1`, [bob.id], [false, true]],
    [`update servers set owner_id = $2 where id = $1`, [serverId, bob.id], [true, true]],
    [`update servers set name = 'Renamed' where id = $1`, [serverId], [false, false]],
    [`update plans set limits = '{}' where id = $1`, [plan], [false, false]],
  ]
  for (const [statement, values, expected] of ways) {
    const before = await standingMarks(db, people)
    await pool.query(statement, [...values])
    const after = await standingMarks(db, people)
    const changed = after.map((mark, index) => mark !== before[index])
    expect([statement, changed]).toEqual([statement, expected])
  }
})
