import { isNumberKey } from '@lodge/shared/limits/keys.ts'
import { type Ctx, contextFor } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import type { UserRow } from '../customers/index.ts'
import { readSettings } from '../settings/index.ts'
import { limitSettings } from './areas.ts'
import {
  beginsOver,
  endOver,
  mayNotify,
  noticeKey,
  noticesOf,
  ownersAfter,
} from './notice-store.ts'
import { layered } from './standing.ts'
import { readStandings } from './usage-store.ts'
import { describeEach, describeLimits, type LimitsView } from './view.ts'

/** Nobody is notified twice in three days, so a round of a thousand owners may take two minutes. */
const AT_ONCE = 50
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Notifies an owner of each limit that is nearly, fully or over-used, each at most once in three
 * days; and the host, once, of each limit that a customer has come to exceed.
 */
async function notifyOwner(ctx: Ctx, owner: UserRow, notifyCustomers: boolean): Promise<number> {
  const { limits, warnPercent } = await describeLimits(ctx.db, owner, false)
  const { id: userId, email } = owner
  let sent = 0
  await endOver(
    ctx.db,
    userId,
    limits.filter(({ over }) => over).map(({ key }) => key),
  )
  for (const limit of limits) {
    const { key, value, used, over } = limit
    if (!isNumberKey(key) || typeof value !== 'number' || used === null) continue
    if (over && (await beginsOver(ctx.db, userId, key)))
      await ctx.emit('limit.over', { userId, email, limit: key, used, value })
    if (!notifyCustomers) continue
    if (!isNear(limit, warnPercent)) continue
    const about = { userId, limit: key, kind: 'warned' } as const
    if (!(await mayNotify(ctx.db, about))) continue
    sent++
    await ctx.emit('limit.warned', { userId, limit: key, used, value })
  }
  return sent
}

type Limit = LimitsView['limits'][number]

const isNear = ({ over, percent }: Limit, warnPercent: number): boolean =>
  over || (percent !== null && percent >= warnPercent)

/**
 * Owners with something to report. Most have nothing, which two statements find out for all of
 * them; each case is checked again before it is reported.
 */
async function ownersToNotify(db: Db, owners: readonly UserRow[], notifyCustomers: boolean) {
  if (owners.length === 0) return []
  const ids = owners.map(({ id }) => id)
  const standings = await readStandings(db, ids)
  const sentNotices = await noticesOf(db, ids)
  return owners.filter((owner) => {
    const found = standings.get(owner.id)
    if (!found) return false
    const standing = layered(owner, found.stored)
    const was = (key: string, kind: string) => sentNotices.has(noticeKey(owner.id, key, kind))
    return describeEach(standing, found.extra).some((limit) => {
      if (limit.over !== was(limit.key, 'over')) return true
      const near = typeof limit.value === 'number' && isNear(limit, standing.settings.warnPercent)
      return notifyCustomers && near && !was(limit.key, 'warned')
    })
  })
}

/** Works through the owners of servers and files in batches. */
export function limitNoticeTask() {
  let after = FIRST
  return periodicTask('limits.notices', 5, async (services) => {
    const ctx = contextFor(services, { kind: 'system' })
    const { useLimits, notifyCustomers } = await readSettings(ctx.db, limitSettings)
    if (!useLimits) return { sent: 0 }
    const owners = await ownersAfter(ctx.db, after, AT_ONCE)
    after = owners.length < AT_ONCE ? FIRST : (owners.at(-1)?.id ?? FIRST)
    let sent = 0
    for (const owner of await ownersToNotify(ctx.db, owners, notifyCustomers))
      sent += await ctx.transaction((ctx) => notifyOwner(ctx, owner, notifyCustomers))
    return { sent }
  })
}
