import { randomUUID } from 'node:crypto'
import { sealTarget } from '../../../control-plane/src/domains/notifications/channels/target.ts'
import type { Lodge } from '../../support/stack.ts'

/** A webhook on this machine, so nothing is fetched. */
export async function channelOf({ controlPlane, database }: Lodge, ownerId: string) {
  const id = randomUUID()
  const target = sealTarget(controlPlane.services.vault, id, { url: 'https://127.0.0.1:9/' })
  await database.pool.query(
    `insert into notification_channels (id, user_id, name, kind, target, events)
     values ($1, $2, 'Mine', 'webhook', $3, '{}')`,
    [id, ownerId, target],
  )
  return id
}

/** A message that did not arrive. */
export async function deliveryTo({ database }: Lodge, channelId: string) {
  const id = randomUUID()
  await database.pool.query(
    `insert into notification_deliveries (id, channel_id, message, burst_key, state)
     values ($1, $2, '{}', 'sample', 'failed')`,
    [id, channelId],
  )
  return id
}

export const sampleChannel = () => ({
  ...{ name: 'Mine', kind: 'webhook', url: 'https://127.0.0.1:9/', events: [] },
})
