import { decide } from '@lodge/shared/limits/check.ts'
import type { ServerPlanCapability } from '@lodge/shared/limits/of-plan-server.ts'
import type { Db } from '../../db/database.ts'
import { serversLacking } from './plan-server-store.ts'
import { limitsOf } from './standing.ts'
import { readLimits } from './usage-store.ts'

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
  const asker = { actor: 'customer', force: false } as const
  const lacking = new Set<string>()
  for (const { ownerId, ...stored } of await readLimits(db, [
    ...new Set(others.map((one) => one.ownerId)),
  ])) {
    const { settings, layers } = limitsOf(stored, stored)
    if (!decide(settings, layers, [{ capability }], asker).allowed) lacking.add(ownerId)
  }
  const byOwner = others.flatMap(({ id, ownerId }) => (lacking.has(ownerId) ? [id] : []))
  return new Set([...(await serversLacking(db, withPlan, capability)), ...byOwner])
}
