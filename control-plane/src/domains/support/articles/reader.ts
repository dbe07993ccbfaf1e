import type { Actor } from '../../../actor.ts'
import { hasPermission } from '../../../actor.ts'

/** What somebody may read. */
export interface Reader {
  readonly id: string | null
  readonly visibilities: readonly ('public' | 'customers' | 'internal')[]
  /** Sees drafts and archived articles too, and their sources. */
  readonly writes: boolean
}

/** What the caller may read; `published` for the help center as everybody sees it. */
export function readerOf(actor: Actor): Reader {
  if (actor.kind !== 'user') return { id: null, visibilities: ['public'], writes: false }
  const staff = actor.role === 'admin'
  return {
    id: actor.id,
    visibilities: staff ? ['public', 'customers', 'internal'] : ['public', 'customers'],
    writes: staff && hasPermission(actor, 'articles.manage'),
  }
}

export const ANYBODY: Reader = { id: null, visibilities: ['public'], writes: false }
