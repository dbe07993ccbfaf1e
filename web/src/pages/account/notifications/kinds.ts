import {
  CHANNEL_PARTS,
  type ChannelKind,
  type ChannelPart,
} from '@lodge/shared/notification-channels.ts'
import { entryOf } from '../../../ui/data/known.ts'
import { t } from './words.ts'

interface KindWords {
  readonly name: string
  /** Where to find its address or token. */
  readonly help: string
  readonly url?: string
  readonly to?: string
  readonly token?: string
  /** Examples of what to enter. */
  readonly examples: { readonly url?: string; readonly to?: string }
}

const words = (): Readonly<Record<ChannelKind, KindWords>> => ({
  email: { name: t.email, help: t.emailHelp, to: t.mailAddress, examples: {} },
  discord: {
    ...{ name: t.discord, help: t.discordHelp, url: t.address },
    examples: { url: 'https://discord.com/api/webhooks/…' },
  },
  slack: {
    ...{ name: t.slack, help: t.slackHelp, url: t.address },
    examples: { url: 'https://hooks.slack.com/services/…' },
  },
  teams: {
    ...{ name: t.teams, help: t.teamsHelp, url: t.address },
    examples: { url: 'https://….logic.azure.com/workflows/…' },
  },
  telegram: {
    ...{ name: t.telegram, help: t.telegramHelp, to: t.chat, token: t.botToken },
    examples: { to: '-1001234567890' },
  },
  ntfy: {
    ...{ name: t.ntfy, help: t.ntfyHelp, url: t.topicAddress, token: t.topicToken },
    examples: { url: 'https://ntfy.sh/my-topic' },
  },
  gotify: {
    ...{ name: t.gotify, help: t.gotifyHelp, url: t.serverAddress, token: t.appToken },
    examples: { url: 'https://gotify.example.com' },
  },
  matrix: {
    ...{ name: t.matrix, help: t.matrixHelp },
    ...{ url: t.serverAddress, to: t.room, token: t.accessToken },
    examples: { url: 'https://matrix.org', to: '!abc:matrix.org' },
  },
  web_push: { name: t.webPush, help: t.webPushHelp, examples: {} },
  webhook: {
    ...{ name: t.webhook, help: t.webhookHelp, url: t.address },
    examples: { url: 'https://example.com/lodge' },
  },
})

/** Parts that a person types. */
export type TypedPart = Exclude<ChannelPart, 'keys'>

/** The parts to type for a kind; a browser creates its own. */
export function typedParts(kind: ChannelKind): TypedPart[] {
  if (kind === 'web_push') return []
  const { needs, takes = [] } = CHANNEL_PARTS[kind]
  return [...needs, ...takes].filter((part) => part !== 'keys')
}

export const wordsOfKind = (kind: ChannelKind): KindWords =>
  entryOf(words(), kind, (name) => ({ name, help: '', examples: {} }))

/** The kinds to choose from, the most common first; a browser adds itself. */
export const kindChoices = () =>
  Object.entries(words())
    .filter(([value]) => value !== 'web_push')
    .map(([value, { name }]) => ({ value, label: name }))
