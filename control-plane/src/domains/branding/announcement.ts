import { createHash } from 'node:crypto'
import type { Branding, ShownAnnouncement } from '@lodge/shared/branding.ts'
import type { User } from '../../actor.ts'
import { Question } from '../../answers.ts'
import { type Ctx, contextFor } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { currentLook } from './look.ts'
import { mayTell } from './store.ts'

/** The announcement of another domain for everybody; it takes precedence over that of the look. */
export const otherAnnouncement = new Question<(db: Db) => Promise<ShownAnnouncement | null>>(
  'another announcement',
)

/** The announcement for the caller; null if there is none. */
export async function announcementFor(ctx: Ctx<User>): Promise<ShownAnnouncement | null> {
  const other = await ctx.catalogue.answers.find(otherAnnouncement)?.(ctx.db)
  if (other) return other
  const { branding } = await currentLook(ctx.db)
  const { announcement } = branding
  const { audience } = announcement
  const isForRole =
    audience === 'all' || (audience === 'administrators') === (ctx.actor.role === 'admin')
  return isForRole && isOn(announcement, ctx.now) ? shown(announcement) : null
}

/** Notifies people once of an announcement that has begun. */
export const tellOfAnnouncement = periodicTask('branding.announce', 5, (services) =>
  contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    const { name: panel, announcement } = (await currentLook(ctx.db)).branding
    if (!isOn(announcement, ctx.now)) return { notified: 0 }
    const { id, text, link } = shown(announcement)
    if (!(await mayTell(ctx.db, id))) return { notified: 0 }
    await ctx.emit('announcement', { panel, text, link, audience: announcement.audience })
    return { notified: 1 }
  }),
)

function isOn({ enabled, startsAt, endsAt }: Branding['announcement'], now: Date): boolean {
  if (!enabled) return false
  if (startsAt !== null && Date.parse(startsAt) > now.getTime()) return false
  return endsAt === null || Date.parse(endsAt) > now.getTime()
}

const shown = ({ severity, text, link, dismissible }: Branding['announcement']) => ({
  id: createHash('sha256')
    .update(JSON.stringify([severity, text, link]))
    .digest('hex')
    .slice(0, 16),
  ...{ severity, text, link, dismissible },
})
