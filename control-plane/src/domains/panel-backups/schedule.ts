import { nextOccurrence } from '@lodge/shared/cron/occurrences.ts'
import type { StoredPanelBackupSettings } from '@lodge/shared/panel-backups.ts'
import type { System } from '../../actor.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { lockScope } from '../../db/advisory-locks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { beginScheduled } from './begin.ts'
import { addressOf, noteInSettings, storedSettings } from './settings.ts'
import { lastGoodAt, lastScheduledAt } from './store.ts'

/** How late a backup may be before it counts as missing: making one takes time. */
const SPARE_MS = 3_600_000

/** When the next scheduled backup is due; in the past if it is late. Null without a schedule. */
export function nextAt(
  { schedule, scheduledSince }: StoredPanelBackupSettings,
  last: Date | null,
): Date | null {
  if (!schedule || !scheduledSince) return null
  const since = new Date(scheduledSince)
  return nextOccurrence(schedule, last && last > since ? last : since)
}

/** Whether the last two scheduled backups are missing. */
export function isOverdue(
  settings: StoredPanelBackupSettings,
  good: Date | null,
  now: Date,
): boolean {
  const first = nextAt(settings, good)
  const second = first && settings.schedule && nextOccurrence(settings.schedule, first)
  return second !== null && second.getTime() + SPARE_MS < now.getTime()
}

/** Begins a due backup: one, on one instance, however many were missed. */
const beginDue = (ctx: Ctx<System>): Promise<boolean> =>
  ctx.transaction(async (ctx) => {
    const settings = await storedSettings(ctx.db)
    if (!settings.schedule || addressOf(settings) === null) return false
    await lockScope(ctx.db, 'panel backups')
    const due = nextAt(settings, await lastScheduledAt(ctx.db))
    return due !== null && due <= ctx.now && (await beginScheduled(ctx)) !== null
  })

/** Notifies once that backups are missing, across all instances. */
export const tellOverdue = (ctx: Ctx<System>): Promise<boolean> =>
  ctx.transaction(async (ctx) => {
    await lockScope(ctx.db, 'panel backups')
    const settings = await storedSettings(ctx.db)
    const good = await lastGoodAt(ctx.db)
    if (settings.toldOverdueAt !== null || !isOverdue(settings, good, ctx.now)) return false
    await noteInSettings(ctx.db, (present) => ({
      ...present,
      toldOverdueAt: ctx.now.toISOString(),
    }))
    await ctx.emit('panel-backup.overdue', { lastGoodAt: good })
    return true
  })

export const panelBackupTasks = [
  periodicTask('panel-backups.schedule', 15, async (services) => {
    const ctx = contextFor(services, { kind: 'system' } as const)
    return { begun: Number(await beginDue(ctx)), overdue: Number(await tellOverdue(ctx)) }
  }),
]
