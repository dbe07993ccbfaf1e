import type { ChannelPart, ChannelStyle, PushKeys } from '@lodge/shared/notification-channels.ts'
import type { StyledBody } from '@lodge/shared/plugins/notification-style.ts'
import type { Parcel } from '../message.ts'
import type { Vapid } from '../web-push/vapid.ts'

/** Where a channel sends to; encrypted at rest. */
export interface Target {
  readonly url?: string | undefined
  readonly to?: string | undefined
  readonly token?: string | undefined
  readonly keys?: PushKeys | undefined
}

export interface Panel {
  readonly name: string
  readonly url: string
}

/** Everything that a kind needs to build a request. */
export interface Sending {
  readonly target: Target
  readonly parcel: Parcel
  /** Counts from 1. */
  readonly attempt: number
  readonly panel: Panel
  readonly style: ChannelStyle | null
  /** The body that a plugin wrote, which replaces the kind's own. */
  readonly styled?: StyledBody | undefined
  /** Secrets of a webhook, the newest first. */
  readonly secrets: readonly string[]
  readonly now: Date
  /** Additional data for a message to a browser. */
  readonly push?: PushSending | undefined
}

export interface PushSending {
  readonly vapid: Vapid
  /** Path of a picture of the panel. */
  readonly icon: string
}

export interface Outgoing {
  readonly url: string
  readonly method: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A complaint about a part of a target. */
export type Complaint = readonly [part: ChannelPart, detail: string]

export interface Kind {
  /** Why a target cannot be used, in words for the person who entered it. */
  complain(target: Target): Complaint | undefined
  /** The URL without the part that would let others post there; the whole one by default. */
  shown?(url: URL): string
  request(sending: Sending): Outgoing
  /** Whether the channel is removed when its receiver is gone: nothing can bring it back. */
  readonly endsWhenGone?: boolean
  /** Statuses besides 410 that mean that the receiver is gone for good. */
  readonly gone?: readonly number[]
}

/** Identifies us to receivers. */
export const SENDER = { 'user-agent': 'Lodge' } as const

export const json = (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Outgoing & { readonly body: string } => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...SENDER, ...headers },
  body: JSON.stringify(body),
})

export const urlOf = (text: string | undefined): URL | undefined =>
  text === undefined ? undefined : (URL.parse(text) ?? undefined)

/** Requires a URL on one of a service's hosts, with a certain path. */
export function atService(
  target: Target,
  { hosts, path, like }: { hosts: RegExp; path: RegExp; like: string },
): Complaint | undefined {
  const url = urlOf(target.url)
  const fits =
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    hosts.test(url.hostname) &&
    path.test(url.pathname)
  return fits ? undefined : ['url', `must look like ${like}`]
}

/** The address of a page of the panel. */
export const pageOf = ({ parcel, panel }: Pick<Sending, 'parcel' | 'panel'>): string =>
  `${panel.url}${parcel.link ?? '/notifications'}`

export const COLOURS = { info: 0x3b5bdb, warn: 0xe8a33d, error: 0xd6404c } as const
