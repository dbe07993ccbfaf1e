import type { PanelPath } from '@lodge/shared/panel-paths.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Reader } from '../moment-text.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

/** An inbox entry. */
export interface Notice {
  readonly type: string
  readonly severity: 'info' | 'warn' | 'error'
  readonly title: string
  readonly body: string
  readonly link?: PanelPath
  /** Defaults to the type. */
  readonly groupKey?: string
}

export type Audience =
  | { readonly users: readonly (string | null)[] }
  /** Every administrator with this permission. */
  | { readonly staff: AdminPermission }

export interface Told<Payload> {
  readonly to: (payload: Payload) => Audience
  /** @param reader the recipient, for the format of times */
  readonly notice: (payload: Payload, reader: Reader) => Notice
}

/** Which events become notifications, with recipients and wording. */
export type Notices = { readonly [N in EventName]?: readonly Told<EventCatalogue[N]>[] }

/** The user the event is about. */
export const whose = ({ userId }: { userId: string | null }): Audience => ({ users: [userId] })
