import { createHash } from 'node:crypto'
import type { Branding, ShownAnnouncement } from '@lodge/shared/branding.ts'
import type { User } from '../../actor.ts'
import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { currentLook } from './look.ts'

/** What another part of the panel announces to everybody; it comes before the announcement of the look. */
export const otherAnnouncement = new Question<(db: Db) => Promise<ShownAnnouncement | null>>(
  'another announcement',
)

/** The announcement for the caller; null if there is none for them now. */
export async function announcementFor(ctx: Ctx<User>): Promise<ShownAnnouncement | null> {
  const other = await ctx.catalogue.answers.find(otherAnnouncement)?.(ctx.db)
  if (other) return other
  const { branding } = await currentLook(ctx.db)
  const { announcement } = branding
  return isFor(announcement, ctx.actor.role, ctx.now) ? shown(announcement) : null
}

function isFor(
  { enabled, audience, startsAt, endsAt }: Branding['announcement'],
  role: User['role'],
  now: Date,
): boolean {
  if (!enabled) return false
  if (audience !== 'all' && (audience === 'administrators') !== (role === 'admin')) return false
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
