import { randomUUIDv7 } from 'node:crypto'
import { inOneTransaction } from '../../../db/database.ts'
import { lockOwner } from '../../customers/index.ts'
import { findPlan } from '../../plans/index.ts'
import { findServer, idOfSubscription, joinPlanServer } from '../../servers/index.ts'
import { insertOrder, lockOrder, lockRow, updateOrder } from '../subscription-store.ts'
import type { SubscriptionFound } from './import-subscriptions.ts'
import { type Outcome, type Run, skipped } from './run.ts'

/** Connects servers that exist here with the subscriptions that paid for them in the other panel. */
export async function connectServers(
  run: Run,
  subscriptions: ReadonlyMap<string, SubscriptionFound>,
): Promise<void> {
  for (const [serviceId, serverId] of run.serverIds) {
    run.signal.throwIfAborted()
    const found = subscriptions.get(serviceId) ?? { refusal: 'its service is not in the export' }
    await run.tell(await connect(run, serviceId, serverId, found))
  }
}

async function connect(
  run: Run,
  serviceId: string,
  serverId: string,
  found: SubscriptionFound,
): Promise<Outcome> {
  const server = await findServer(run.db, serverId)
  const about = server?.name ?? serverId
  const skip = (note: string) => skipped('server', serviceId, about, note)
  if ('refusal' in found) return skip(found.refusal)
  if (!server) return skip('there is no such server')
  const outcome = {
    kind: 'server',
    sourceId: serviceId,
    about,
    note: '',
    targetId: serverId,
  } as const
  if (server.subscriptionId !== null)
    return server.subscriptionId === found.id
      ? { ...outcome, result: 'imported before' }
      : skip('another subscription has it')
  if (server.ownerId !== found.userId) return skip('another account owns it')
  if (server.deleteAt !== null) return skip('it is about to be deleted')
  // Connected, its server would keep running without a subscription that could suspend it.
  if (found.status !== 'active') return skip(`its subscription is ${found.status}`)
  const preset = found.planId === null ? null : (await findPlan(run.db, found.planId))?.preset
  if (!preset) return skip('its plan has no servers: name a server plan with --plan')
  if ((preset.vm !== undefined) !== (server.kind === 'vm'))
    return skip('its plan has servers of another kind')
  const { id, userId } = found
  if (id !== null && (await idOfSubscription(run.db, id)) !== undefined)
    return skip('its subscription has another server')
  if (!run.writes) return { ...outcome, result: 'new' }
  const [template] = preset.templateIds
  const templateId = server.templateId ?? template
  const isConnected = await inOneTransaction(run.db, async (db) => {
    await lockOwner(db, userId)
    const row = id === null ? undefined : await lockRow(db, id)
    if (row?.status !== 'active' || templateId === undefined) return false
    const order = await lockOrder(db, row.id)
    if ((order?.state ?? 'made') !== 'made' || (await idOfSubscription(db, row.id))) return false
    if (!(await joinPlanServer(db, serverId, userId, row.id))) return false
    // Recorded as if the order had created the server, so that a change of plan resizes it.
    const made = { name: server.name, templateId, preset, state: 'made' } as const
    // A server that was connected before and has been deleted since left its order behind.
    if (order) await updateOrder(db, order.id, made)
    else await insertOrder(db, { id: randomUUIDv7(), subscriptionId: row.id, ...made })
    return true
  })
  return isConnected ? { ...outcome, result: 'new' } : skip('it changed meanwhile: import again')
}
