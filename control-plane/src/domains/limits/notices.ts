import { type Ctx, contextFor } from '../../context.ts'
import { keeper } from '../../jobs/keeper.ts'
import type { UserRow } from '../customers/index.ts'
import { readSettings } from '../settings/index.ts'
import { limitSettings } from './areas.ts'
import { beginsOver, endOver, mayTell, ownersAfter } from './notice-store.ts'
import { describeLimits } from './view.ts'

/** Nobody is told twice in three days: a thousand owners may take two minutes. */
const AT_ONCE = 50
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Tells an owner of each limit that is nearly, wholly or more than used up, each at most once in three
 * days; and the host, once, of each that somebody came to be above, by whatever way.
 */
async function tell(ctx: Ctx, owner: UserRow, notifyCustomers: boolean): Promise<number> {
  const { limits, warnPercent } = await describeLimits(ctx.db, owner, false)
  const { id: userId, email } = owner
  let told = 0
  await endOver(
    ctx.db,
    userId,
    limits.filter(({ over }) => over).map(({ key }) => key),
  )
  for (const { key, kind, value, used, percent, over } of limits) {
    if (typeof value !== 'number' || used === null) continue
    if (over && (await beginsOver(ctx.db, userId, key)))
      await ctx.emit('limit.over', { userId, email, limit: key, kind, used, value })
    if (!notifyCustomers) continue
    if (!over && (percent === null || percent < warnPercent)) continue
    const about = { userId, limit: key, kind: 'warned' } as const
    if (!(await mayTell(ctx.db, about))) continue
    told++
    const named = { userId, limit: key, kind }
    await ctx.emit('limit.warned', { ...named, used, value })
  }
  return told
}

/** Goes round the owners of servers, some at a time. */
export function limitNoticeKeeper() {
  let after = FIRST
  return keeper('limits.notices', 5, async (services) => {
    const ctx = contextFor(services, { kind: 'system' })
    const { useLimits, notifyCustomers } = await readSettings(ctx.db, limitSettings)
    if (!useLimits) return { told: 0 }
    const owners = await ownersAfter(ctx.db, after, AT_ONCE)
    after = owners.length < AT_ONCE ? FIRST : (owners.at(-1)?.id ?? FIRST)
    let told = 0
    for (const owner of owners)
      told += await ctx.transaction((ctx) => tell(ctx, owner, notifyCustomers))
    return { told }
  })
}
