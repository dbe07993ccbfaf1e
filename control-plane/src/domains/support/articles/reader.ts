import type { Actor } from '../../../actor.ts'
import { hasPermission } from '../../../actor.ts'

/** What a reader may see. */
export interface Reader {
  readonly id: string | null
  readonly visibilities: readonly ('public' | 'customers' | 'internal')[]
  /** Whether they also see drafts, archived articles and the Markdown source. */
  readonly writes: boolean
}

/** What the caller may read; `published` applies to the public help center. */
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
