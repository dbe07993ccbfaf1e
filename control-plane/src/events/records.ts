import type { EventCatalogue, EventName } from './catalogue.ts'

/** An entry of the audit log. */
export interface Recorded {
  /** The key of a request's endpoint, or a name in `actions` of a declaration. */
  readonly action: string
  readonly targetId?: string | null
  readonly serverId?: string | null
  readonly requestId?: string | null
  readonly detail?: unknown
  /** The person who did it, if not the caller. */
  readonly as?: { readonly id: string; readonly email: string; readonly address: string | null }
}

/** Which events are recorded in the audit log, apart from the requests that caused them. */
export type Records = { readonly [N in EventName]?: (payload: EventCatalogue[N]) => Recorded }
