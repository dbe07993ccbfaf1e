import type { Draft } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import * as store from './store.ts'

/** The caller's draft for a ticket, or for a new one. */
export async function draftOf({ db, actor }: Ctx<User>, about: string): Promise<Draft> {
  const row = await store.findDraft(db, actor.id, about)
  if (!row) return { content: {}, version: 0, updatedAt: null }
  return { ...row, updatedAt: row.updatedAt.toISOString() }
}

/** Stores the caller's draft, unless another window has saved a newer one. */
export async function saveDraft(
  { db, actor, now }: Ctx<User>,
  about: string,
  given: Pick<Draft, 'content' | 'version'>,
): Promise<Draft> {
  const row = await store.saveDraft(db, { ...given, userId: actor.id, about, updatedAt: now })
  if (!row)
    throw new Problem('conflict', 'You have continued this draft elsewhere: load it again', {
      fields: { version: (await store.findDraft(db, actor.id, about))?.version ?? 0 },
    })
  return { ...row, updatedAt: row.updatedAt.toISOString() }
}
