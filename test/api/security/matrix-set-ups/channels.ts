import { unsubscribeToken } from '../../../../control-plane/src/domains/notifications/channels/mail-channel.ts'
import type { Caller } from '../../../support/caller.ts'
import type { EquippedGround } from './equipped-ground.ts'
import { freshAddress, person, tokenMailedTo } from './people.ts'
import type { SetUps } from './set-up.ts'

/** A mail channel whose address nobody has confirmed. */
async function unverified({ lodge }: EquippedGround, owner: Caller) {
  await lodge.database.pool.query('delete from notification_channels where user_id = $1', [
    owner.id,
  ])
  const to = freshAddress()
  const { id } = await (await lodge.session(owner.id)).must('POST /api/notification-channels', {
    body: { name: 'Mail', kind: 'email', to, events: [] },
  })
  return { id, to }
}

export const channelSetUps: SetUps = {
  'POST /api/notification-channels': async ({ ground, who }) => {
    await ground.lodge.database.pool.query('delete from notification_channels where user_id = $1', [
      who.caller.id,
    ])
    return {}
  },
  'POST /api/notification-channels/{id}/verification': async ({ ground, who }) => ({
    params: { id: (await unverified(ground, who.caller)).id },
  }),
  'POST /api/notification-channels/verify': async ({ ground }) => {
    const { to } = await unverified(ground, await person(ground))
    return { body: { token: await tokenMailedTo(ground, to) } }
  },
  'POST /api/notification-channels/unsubscribe/{token}': async ({ ground }) => {
    const { id } = await unverified(ground, await person(ground))
    const token = unsubscribeToken(ground.lodge.controlPlane.services, id)
    return {
      params: { token },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    }
  },
}
