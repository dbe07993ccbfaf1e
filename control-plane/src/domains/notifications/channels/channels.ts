import { createHash, randomUUIDv7 } from 'node:crypto'
import {
  type AddChannel,
  builtInStyle,
  type EditChannel,
  type NotificationChannel,
} from '@lodge/shared/notification-channels.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { invalid } from '../../../http/input.ts'
import { take } from '../../../http/throttle.ts'
import { notFound, Problem } from '../../../problem.ts'
import { channelBudgets } from './budgets.ts'
import { disable } from './disable.ts'
import type { Target } from './kinds/kind.ts'
import { knownEvents } from './known-events.ts'
import { mailVerification } from './mail-channel.ts'
import { serversSeenBy } from './questions.ts'
import { newSecret } from './signature.ts'
import * as store from './store.ts'
import { requireStyle } from './styles.ts'
import { openTarget, requireTarget, sealSecret, sealTarget, shownUrl } from './target.ts'

const FORMER_SECRET_HOURS = 24

export function describeChannel(
  { vault, now }: Pick<Ctx, 'vault' | 'now'>,
  row: store.ChannelRow,
): NotificationChannel {
  const { id, name, kind, events, serverIds, style, quiet, digest, errorsAtOnce, state } = row
  const target = openTarget(vault, row)
  const formerUntil = row.formerSecretUntil
  return {
    ...{ id, name, kind, events, serverIds, style, quiet, digest, errorsAtOnce, state },
    url: shownUrl(kind, target),
    to: target.to ?? null,
    hasToken: target.token !== undefined,
    browser: kind === 'web_push' ? browserOf(target) : null,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    formerSecretUntil: formerUntil && formerUntil > now ? formerUntil.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
  }
}

export const listOwn = async (ctx: Ctx<User>): Promise<{ items: NotificationChannel[] }> => ({
  items: (await store.listChannels(ctx.db, ctx.actor.id)).map((row) => describeChannel(ctx, row)),
})

/** Adds a channel. The secret of a webhook is returned only here. */
export async function addChannel(
  ctx: Ctx<User>,
  given: AddChannel,
): Promise<NotificationChannel & { secret: string | null }> {
  const { name, kind, url, to, token, keys, ...choices } = given
  const target = requireTarget(kind, { url, to, token, keys }, ctx.panelUrl)
  await requireChoices(ctx, kind, given)
  return ctx.transaction(async (ctx) => {
    await requireFree(ctx.db, store.channelCap, ctx.actor.id)
    if (kind === 'web_push') await requireNewBrowser(ctx, target)
    const id = randomUUIDv7()
    const secret = kind === 'webhook' ? newSecret() : null
    const isKnown = kind !== 'email' || target.to === ctx.actor.email
    const row = await store.insertChannel(ctx.db, {
      ...{ id, userId: ctx.actor.id, name, kind },
      target: sealTarget(ctx.vault, id, target),
      ...choices,
      events: [...new Set(choices.events)],
      style: choices.style ?? builtInStyle(kind),
      state: isKnown ? 'active' : 'unverified',
      sessionId: kind === 'web_push' ? ctx.actor.sessionId : null,
      secret: secret === null ? null : sealSecret(ctx.vault, id, secret),
    })
    if (!isKnown) await mailVerification(ctx, row, ctx.actor.email)
    return { ...describeChannel(ctx, row), secret }
  })
}

const browserOf = ({ url = '' }: Target): string =>
  createHash('sha256').update(url).digest('base64url')

/** A browser that is added twice would show everything twice. */
async function requireNewBrowser(ctx: Ctx<User>, { url }: Target): Promise<void> {
  const own = await store.listChannels(ctx.db, ctx.actor.id)
  const present = own.find((row) => openTarget(ctx.vault, row).url === url)
  if (present) throw new Problem('conflict', `This browser is your channel ${present.name} already`)
}

/** Refuses events and servers that the caller may not see, and unknown styles. */
async function requireChoices(
  ctx: Ctx<User>,
  kind: NotificationChannel['kind'],
  given: Pick<EditChannel, 'events' | 'serverIds' | 'style'>,
  present: store.ChannelRow['style'] = null,
): Promise<void> {
  const known = new Set(knownEvents(ctx).map(({ type }) => type))
  const unknown = (given.events ?? []).findIndex((type) => !known.has(type))
  if (unknown >= 0)
    throw invalid([
      { pointer: `/events/${unknown}`, detail: 'is not one of GET /api/notification-events' },
    ])
  const { style = null } = given
  // The present style may stay, even if it is unavailable now.
  if (style !== null && style !== present) await requireStyle(ctx, kind, style)
  const serverIds = given.serverIds ?? []
  if (serverIds.length === 0) return
  const seen = await ctx.catalogue.answers.to(serversSeenBy)(ctx.db, ctx.actor.id, serverIds)
  const foreign = serverIds.findIndex((id) => seen.get(id) !== true)
  if (foreign >= 0)
    throw invalid([{ pointer: `/serverIds/${foreign}`, detail: 'is not a server of yours' }])
}

export async function editChannel(
  ctx: Ctx<User>,
  { id, kind, style }: store.ChannelRow,
  given: EditChannel,
): Promise<NotificationChannel> {
  await requireChoices(ctx, kind, given, style)
  return ctx.transaction(async (ctx) => {
    const row = await store.lockChannel(ctx.db, id)
    if (!row) throw notFound('channel')
    const { url, to, token, enabled, ...choices } = given
    const moved = retarget(ctx, row, { url, to, token })
    const isTurnedOn = enabled === true && row.state === 'disabled'
    const change = {
      ...choices,
      ...(choices.events && { events: [...new Set(choices.events)] }),
      ...(choices.style === null && { style: builtInStyle(kind) }),
      ...(isTurnedOn && { ...ON, ...(mustAgree(ctx, row) && UNVERIFIED) }),
      ...moved.change,
    }
    const changed = (await store.updateChannel(ctx.db, id, change)) ?? row
    const refusedBefore = isTurnedOn && row.disabledReason === 'unsubscribed'
    if (moved.unverified || (refusedBefore && changed.state === 'unverified')) {
      await take(ctx.db, channelBudgets.verifyChannel, ctx.actor.id)
      await mailVerification(ctx, changed, ctx.actor.email)
    }
    if (enabled === false && changed.state !== 'disabled') await disable(ctx, changed, 'paused', '')
    const last = await store.findChannel(ctx.db, id)
    return describeChannel(ctx, last ?? changed)
  })
}

const ON = {
  state: 'active',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
} as const

const UNVERIFIED = { state: 'unverified' } as const

/**
 * Whether the owner of a mail address has not agreed, or has refused since: turning the channel off and
 * on again does not change that.
 */
const mustAgree = (ctx: Ctx<User>, row: store.ChannelRow): boolean =>
  row.kind === 'email' &&
  openTarget(ctx.vault, row).to !== ctx.actor.email &&
  (row.verifyHash !== null || row.disabledReason === 'unsubscribed')

/** Changes where a channel sends to. A new mail address has to be verified again. */
function retarget(
  ctx: Ctx<User>,
  row: store.ChannelRow,
  given: Pick<EditChannel, 'url' | 'to' | 'token'>,
) {
  const isGiven = Object.values(given).some((part) => part !== undefined)
  if (!isGiven) return { change: {}, unverified: false }
  if (row.kind === 'web_push')
    throw invalid([
      {
        pointer: '/url',
        detail: 'is made by the browser: remove this channel and add it there again',
      },
    ])
  const present = openTarget(ctx.vault, row)
  const moved = (given.url ?? present.url) !== present.url
  const target = requireTarget(
    row.kind,
    {
      url: given.url ?? present.url,
      to: given.to ?? present.to,
      // A token is not sent to another server than the one it was given for.
      token: given.token ?? (moved ? undefined : present.token),
    },
    ctx.panelUrl,
  )
  const unverified =
    row.kind === 'email' && target.to !== present.to && target.to !== ctx.actor.email
  const change = {
    target: sealTarget(ctx.vault, row.id, target),
    failingSince: null,
    ...(row.kind === 'email' &&
      target.to !== present.to && {
        ...ON,
        ...(unverified ? UNVERIFIED : { verifyHash: null, verifyUntil: null }),
      }),
  }
  return { change, unverified }
}

/** Gives a webhook a new secret; for a day, messages are signed with the former one as well. */
export async function rotateSecret(
  ctx: Ctx<User>,
  { id, kind }: store.ChannelRow,
): Promise<{ secret: string; formerSecretUntil: string }> {
  if (kind !== 'webhook')
    throw new Problem('invalid_state', 'Only a webhook signs its messages with a secret')
  return ctx.transaction(async (ctx) => {
    const row = await store.lockChannel(ctx.db, id)
    if (!row) throw notFound('channel')
    const secret = newSecret()
    const formerSecretUntil = new Date(ctx.now.getTime() + FORMER_SECRET_HOURS * 3_600_000)
    await store.updateChannel(ctx.db, id, {
      secret: sealSecret(ctx.vault, id, secret),
      formerSecret: row.secret,
      formerSecretUntil,
    })
    return { secret, formerSecretUntil: formerSecretUntil.toISOString() }
  })
}

/** Sends the link of an unverified address again. */
export async function verifyAgain(ctx: Ctx<User>, { id }: store.ChannelRow): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await store.lockChannel(ctx.db, id)
    if (row?.state !== 'unverified')
      throw new Problem('invalid_state', 'The address of this channel needs no confirmation')
    await mailVerification(ctx, row, ctx.actor.email)
  })
}
