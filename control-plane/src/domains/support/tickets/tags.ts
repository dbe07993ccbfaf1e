import { MAX_TAGS } from '@lodge/shared/support/tickets.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { deleteTags, insertTags, listTags } from './thread-store.ts'

interface Wanted {
  /** The complete list. */
  readonly tags?: readonly string[] | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
}

/** Changes the tags of a ticket. @returns the entry for the history; undefined if nothing changed */
export async function changeTags(
  db: Db,
  ticketId: string,
  { tags, addTags = [], removeTags = [] }: Wanted,
): Promise<{ tags: { added: string[]; removed: string[] } } | undefined> {
  if (tags === undefined && addTags.length === 0 && removeTags.length === 0) return undefined
  const present = new Set(await listTags(db, ticketId))
  const wanted = new Set(
    [...(tags ?? present), ...addTags].filter((tag) => !removeTags.includes(tag)),
  )
  if (wanted.size > MAX_TAGS)
    throw invalid([{ pointer: '/tags', detail: `must be at most ${MAX_TAGS}` }])
  const added = [...wanted.difference(present)]
  const removed = [...present.difference(wanted)]
  if (added.length + removed.length === 0) return undefined
  await insertTags(db, ticketId, added)
  await deleteTags(db, ticketId, removed)
  return { tags: { added, removed } }
}
