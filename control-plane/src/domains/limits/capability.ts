import { decide } from '@lodge/shared/limits/check.ts'
import type { ServerPlanCapability } from '@lodge/shared/limits/of-plan-server.ts'
import type { Db } from '../../db/database.ts'
import { findUser } from '../customers/index.ts'
import { serversLacking } from './plan-server-store.ts'
import { standingOf } from './standing.ts'

interface Concerned {
  readonly id: string
  readonly ownerId: string
  readonly subscriptionId: string | null
}

/**
 * Those of these servers for which their plans, or the limits of their owners, leave a capability out now. For
 * what runs later without asking; whatever is done at once uses `requireQuota`.
 */
export async function withoutCapability(
  db: Db,
  servers: readonly Concerned[],
  capability: ServerPlanCapability,
): Promise<ReadonlySet<string>> {
  const withPlan = servers.flatMap(({ id, subscriptionId }) => (subscriptionId ? [id] : []))
  const others = servers.filter(({ subscriptionId }) => subscriptionId === null)
  const byOwner = await Promise.all(
    [...Map.groupBy(others, ({ ownerId }) => ownerId)].map(async ([ownerId, own]) =>
      (await mayOwner(db, ownerId, capability)) ? [] : own.map(({ id }) => id),
    ),
  )
  return new Set([...(await serversLacking(db, withPlan, capability)), ...byOwner.flat()])
}

async function mayOwner(
  db: Db,
  ownerId: string,
  capability: ServerPlanCapability,
): Promise<boolean> {
  const owner = await findUser(db, ownerId)
  if (!owner || owner.role === 'admin') return true
  const { settings, layers } = await standingOf(db, owner)
  const asker = { actor: 'customer', force: false } as const
  return decide(settings, layers, [{ capability }], asker).allowed
}
