import { z } from 'zod'
import { emailAddress } from './accounts.ts'

export const CHANNEL_KINDS = [
  'webhook',
  'discord',
  'slack',
  'email',
  'telegram',
  'ntfy',
  'gotify',
  'matrix',
  'teams',
  'web_push',
] as const
export const ChannelKind = z.enum(CHANNEL_KINDS)
export type ChannelKind = z.infer<typeof ChannelKind>

export type ChannelPart = 'url' | 'to' | 'token' | 'keys'
interface KindNeeds {
  readonly needs: readonly ChannelPart[]
  readonly takes?: readonly ChannelPart[]
}

/** Which parts of its target a kind of channel has. */
export const CHANNEL_PARTS: Readonly<Record<ChannelKind, KindNeeds>> = {
  webhook: { needs: ['url'] },
  discord: { needs: ['url'] },
  slack: { needs: ['url'] },
  email: { needs: ['to'] },
  telegram: { needs: ['to', 'token'] },
  ntfy: { needs: ['url'], takes: ['token'] },
  gotify: { needs: ['url', 'token'] },
  matrix: { needs: ['url', 'to', 'token'] },
  teams: { needs: ['url'] },
  web_push: { needs: ['url', 'keys'] },
}

const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url without padding')

/** What a browser's subscription is encrypted with (`PushSubscription.toJSON`), base64url. */
export const PushKeys = z.strictObject({
  /** Its public key: 65 bytes of a point of P-256. */
  p256dh: bytes(100),
  /** Its secret: 16 bytes. */
  auth: bytes(30),
})
export type PushKeys = z.infer<typeof PushKeys>

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:30')

/** Times in the time zone of the account between which messages wait. */
export const QuietHours = z.strictObject({ from: clock, to: clock })
export type QuietHours = z.infer<typeof QuietHours>

/** Messages are gathered and sent as one at this hour, on Mondays if weekly. */
export const Digest = z.strictObject({
  every: z.enum(['day', 'week']),
  hour: z.int().min(0).max(23),
})
export type Digest = z.infer<typeof Digest>

/** The kinds that a plugin can word messages for: what they take is JSON without a part of the target. */
export const STYLED_KINDS = [
  'webhook',
  'discord',
  'slack',
  'teams',
] as const satisfies readonly ChannelKind[]
export type StyledKind = (typeof STYLED_KINDS)[number]

export const isStyled = (kind: ChannelKind): kind is StyledKind =>
  STYLED_KINDS.some((one) => one === kind)

const OF_PLUGIN = 'plugin:'
/** What messages look like: `plain` or `card` of Discord, or `plugin:` with the id of the plugin that words them. */
export const ChannelStyle = z
  .string()
  .max(OF_PLUGIN.length + 60)
  .regex(/^(plain|card|plugin:[a-z][a-z0-9-]*)$/, 'must be a style such as plain')
export type ChannelStyle = z.infer<typeof ChannelStyle>

export const styleOfPlugin = (pluginId: string): ChannelStyle => `${OF_PLUGIN}${pluginId}`

/** The style of a channel that has chosen none; null if its kind has but one without plugins. */
export const builtInStyle = (kind: ChannelKind): ChannelStyle | null =>
  kind === 'discord' ? 'plain' : null

/** The plugin that words messages in a style; undefined for a built-in one. */
export const pluginOfStyle = (style: ChannelStyle | null): string | undefined =>
  style?.startsWith(OF_PLUGIN) ? style.slice(OF_PLUGIN.length) : undefined

const name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u, 'must be one line of visible characters')
const parts = {
  url: z.string().trim().min(1).max(2000),
  /** A mail address, a chat of Telegram or a room of Matrix. */
  to: z.string().trim().min(1).max(254),
  /** Signs in to the service; never returned. */
  token: z.string().trim().min(1).max(1000),
  /** Of the subscription of a browser; never returned. */
  keys: PushKeys,
}
const choices = {
  events: z.array(z.string().max(64)).max(200),
  /** Only events of these servers; null: of all that the person may see. */
  serverIds: z.array(z.uuid().toLowerCase()).min(1).max(200).nullable(),
  /** Null: the built-in one. */
  style: ChannelStyle.nullable(),
  quiet: QuietHours.nullable(),
  digest: Digest.nullable(),
  /** Errors wait neither for the end of quiet hours nor for the digest. */
  errorsAtOnce: z.boolean(),
}

export const AddChannel = z.strictObject({
  name,
  kind: ChannelKind,
  url: parts.url.optional(),
  to: parts.to.optional(),
  token: parts.token.optional(),
  keys: parts.keys.optional(),
  events: choices.events,
  serverIds: choices.serverIds.optional(),
  style: choices.style.optional(),
  quiet: choices.quiet.optional(),
  digest: choices.digest.optional(),
  errorsAtOnce: choices.errorsAtOnce.optional(),
})
export type AddChannel = z.infer<typeof AddChannel>

export const EditChannel = z.strictObject({
  name: name.optional(),
  url: parts.url.optional(),
  to: parts.to.optional(),
  token: parts.token.optional(),
  events: choices.events.optional(),
  serverIds: choices.serverIds.optional(),
  style: choices.style.optional(),
  quiet: choices.quiet.optional(),
  digest: choices.digest.optional(),
  errorsAtOnce: choices.errorsAtOnce.optional(),
  /** False pauses it; true also switches a disabled one on again. */
  enabled: z.boolean().optional(),
})
export type EditChannel = z.infer<typeof EditChannel>

/** The address of a mail channel. */
export const channelAddress = emailAddress

/** Why a channel delivers nothing: the receiver refused for good, failed for days, or a person stopped it. */
export const DisabledReason = z.enum(['gone', 'failing', 'unsubscribed', 'paused'])
export type DisabledReason = z.infer<typeof DisabledReason>

export const NotificationChannel = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: ChannelKind,
  /** Without the part that would let others post there. */
  url: z.string().nullable(),
  to: z.string().nullable(),
  hasToken: z.boolean(),
  /** By which a browser knows its own channel: SHA-256 of the address of its subscription, base64url. */
  browser: z.string().nullable(),
  events: z.array(z.string()),
  serverIds: z.array(z.uuid()).nullable(),
  style: ChannelStyle.nullable(),
  quiet: QuietHours.nullable(),
  digest: Digest.nullable(),
  errorsAtOnce: z.boolean(),
  /** `unverified`: a mail address whose owner has not confirmed it yet. */
  state: z.enum(['active', 'unverified', 'disabled']),
  disabledReason: DisabledReason.nullable(),
  disabledAt: z.iso.datetime().nullable(),
  /** Since when every delivery fails. */
  failingSince: z.iso.datetime().nullable(),
  lastDeliveredAt: z.iso.datetime().nullable(),
  /** Until then messages are signed with the former secret too. */
  formerSecretUntil: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type NotificationChannel = z.infer<typeof NotificationChannel>

export const ChannelDelivery = z.object({
  id: z.uuid(),
  type: z.string(),
  title: z.string(),
  /** How many notifications it stands for. */
  count: z.int(),
  state: z.enum(['queued', 'sent', 'failed', 'dropped']),
  attempts: z.int(),
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Status and beginning of the last answer. */
  status: z.int().nullable(),
  answer: z.string().nullable(),
  /** Why it failed, or why it was not sent in the chosen style. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type ChannelDelivery = z.infer<typeof ChannelDelivery>

/** What came of a test message. */
export const ChannelTest = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  answer: z.string(),
  /** Why it failed, or why it was not sent in the chosen style. */
  error: z.string().nullable(),
  durationMs: z.int(),
})
export type ChannelTest = z.infer<typeof ChannelTest>

/** Per account. */
export const MAX_CHANNELS = 20
