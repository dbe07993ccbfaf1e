import type { PanelPath } from '@lodge/shared/panel-paths.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Reader } from '../moment-text.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

/** Groups of event types, in the order in which people choose from them. */
export const NOTICE_GROUPS = ['servers', 'backups', 'limits', 'account', 'host'] as const

/** A type of event that people are told of, as they see it where they choose. */
export interface NoticeType {
  readonly title: string
  readonly severity: 'info' | 'warn' | 'error'
  readonly group: (typeof NOTICE_GROUPS)[number]
  /** Only administrators with this permission may subscribe to it. */
  readonly staff?: AdminPermission
}

/** Types by name, such as `server.crashed`. */
export type NoticeTypes = Readonly<Record<string, NoticeType>>

/** What one person is told: an inbox entry, and a message to their channels. */
export interface Notice {
  readonly title: string
  readonly body: string
  readonly link?: PanelPath
  /** Defaults to the type, and the server if it is about one. */
  readonly groupKey?: string
}

export type Audience =
  /**
   * These, as far as they have the permission that the type declares for staff. `orStaff`: everybody
   * with another one if none of them is left.
   */
  | { readonly users: readonly (string | null)[]; readonly orStaff?: AdminPermission }
  /** Every administrator with this permission. */
  | { readonly staff: AdminPermission }
  /** Whoever of these has a channel for it, of what concerns so many that inboxes are no place for it. */
  | { readonly subscribers: 'all' | 'customers' | 'administrators' }

export interface NoticeRule<Payload> {
  /** One of the declared `notificationTypes`. */
  readonly type: string
  /** False: too frequent or too ordinary for inboxes, so only channels that ask for it get it. */
  readonly inbox?: false
  readonly to: (payload: Payload) => Audience
  /** @param reader the recipient, for the format of times */
  readonly notice: (payload: Payload, reader: Reader) => Notice
}

/** Which events become notifications, with recipients and wording. */
export type Notices = { readonly [N in EventName]?: readonly NoticeRule<EventCatalogue[N]>[] }

/** The user the event is about. */
export const whose = ({ userId }: { userId: string | null }): Audience => ({ users: [userId] })
