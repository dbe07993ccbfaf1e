import type { ChannelKind } from '@lodge/shared/notification-channels.ts'
import { discord } from './discord.ts'
import { gotify } from './gotify.ts'
import type { Kind } from './kind.ts'
import { matrix } from './matrix.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webPush } from './web-push.ts'
import { webhook } from './webhook.ts'

/** The kinds that are called over HTTP; mail goes through the outbox. */
export const KINDS: Readonly<Record<Exclude<ChannelKind, 'email'>, Kind>> = {
  webhook,
  discord,
  slack,
  telegram,
  ntfy,
  gotify,
  matrix,
  teams,
  web_push: webPush,
}
