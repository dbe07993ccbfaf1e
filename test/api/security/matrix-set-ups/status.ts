import { randomUUID } from 'node:crypto'
import { unsubscribeToken } from '../../../../control-plane/src/domains/status/subscribers/subscribe.ts'
import type { Lodge } from '../../../support/stack.ts'
import type { SetUp, SetUps } from './set-up.ts'

async function switchOn({ database }: Lodge): Promise<void> {
  await database.pool.query(
    `insert into settings (area, value) values ('status', '{"enabled":true}')
     on conflict (area) do update set value = excluded.value`,
  )
}

const on: SetUp = async ({ ground: { lodge } }) => {
  await switchOn(lodge)
  return {}
}

const formOf =
  (fields: (lodge: Lodge) => Readonly<Record<string, string>>): SetUp =>
  async ({ ground: { lodge } }) => {
    await switchOn(lodge)
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields(lodge)).toString(),
    }
  }
const tokenOf = ({ controlPlane }: Lodge): string =>
  unsubscribeToken(controlPlane.services, randomUUID())

export const statusSetUps: SetUps = {
  'GET /api/status': on,
  'POST /api/status/subscribers': async (admission) => {
    const { database } = admission.ground.lodge
    await database.pool.query(
      `insert into settings (area, value) values ('mail', '{"host":"127.0.0.1","port":9}')
       on conflict (area) do update set value = settings.value || excluded.value`,
    )
    const prepared = await formOf(() => ({ email: `${randomUUID()}@example.com` }))(admission)
    await database.pool.query(
      `update settings set value = value || '{"subscriptions":true}' where area = 'status'`,
    )
    const after = async () => {
      await database.pool.query(`delete from settings where area = 'mail'`)
    }
    return { ...prepared, after }
  },
  'POST /api/status/subscribers/confirm': async (admission) => {
    const token = randomUUID()
    await admission.ground.lodge.database.pool.query(
      `insert into status_subscribers (id, address, confirm_hash, confirm_until, asked_at)
       values (gen_random_uuid(), $1::text, sha256(convert_to($1::text, 'utf8')), now() + interval '1 day', now())`,
      [token],
    )
    return formOf(() => ({ token }))(admission)
  },
  'POST /api/status/subscribers/leave': formOf((lodge) => ({ token: tokenOf(lodge) })),
  'POST /api/status/unsubscribe/{token}': async ({ ground: { lodge } }) => ({
    params: { token: tokenOf(lodge) },
  }),
  'POST /api/status/components': async ({ ground: { lodge } }) => {
    await lodge.database.pool.query('delete from status_components')
    return {}
  },
  'POST /api/status/incidents': async ({ ground: { lodge } }) => {
    await lodge.database.pool.query('delete from status_incidents')
    return {}
  },
}
