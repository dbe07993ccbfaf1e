import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { served } from '@lodge/shared/panel-paths.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { momentText, readerIn } from '../../../moment-text.ts'
import { notFound, Problem } from '../../../problem.ts'
import { idIn, signedId } from '../../../secrets/signed-id.ts'
import { queueMail } from '../../email/index.ts'
import { statusConfirm } from '../mails.ts'
import { statusSettings, takesSubscriptions } from '../settings.ts'
import type { SubscriberRow } from '../tables.ts'
import * as store from './store.ts'

const CONFIRM_HOURS = 24
const PURPOSE = 'status unsubscribe'
/** How many requests are handled in one transaction. */
const BATCH = 20

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const invalidLink = () =>
  new Problem(
    'invalid_token',
    'This link no longer works, because it was used or has expired: subscribe again on the status page',
  )

/**
 * Records that an address wants mail. Whether it already gets mail is checked later, so that neither
 * the response nor its timing reveals it.
 */
export async function subscribe(ctx: Ctx, address: string, language: Language): Promise<void> {
  if (!(await takesSubscriptions(ctx.db, await statusSettings(ctx.db))))
    throw notFound('subscription')
  await ctx.transaction(async ({ db }) => {
    await requireFree(db, store.subscriberCap)
    await store.insertRequest(db, { id: randomUUIDv7(), address, language })
  })
}

/** Mails the requested links; confirmed addresses get nothing. @returns how many */
export const mailLinks = (ctx: Ctx): Promise<number> =>
  ctx.transaction(async (ctx) => {
    let mailed = 0
    for (const asked of await store.takeRequests(ctx.db, BATCH))
      if (await mailLink(ctx, asked)) mailed++
    return mailed
  })

async function mailLink(
  ctx: Ctx,
  { address, language }: Pick<SubscriberRow, 'address' | 'language'>,
): Promise<boolean> {
  const token = randomBytes(32).toString('base64url')
  const confirmUntil = new Date(ctx.now.getTime() + CONFIRM_HOURS * 3_600_000)
  const isAsked = await store.ask(ctx.db, {
    ...{ id: randomUUIDv7(), address, language, confirmUntil, askedAt: ctx.now },
    confirmHash: hashOf(token),
  })
  if (!isAsked) return false
  await queueMail(ctx, statusConfirm, {
    to: address,
    userId: null,
    reader: readerIn(language),
    variables: (reader) => ({
      confirm: `${ctx.panelUrl}${served.statusConfirm}?token=${token}`,
      until: momentText(confirmUntil, reader),
    }),
    issued: { token, expiresAt: confirmUntil },
  })
  return true
}

/** @throws {Problem} `invalid_token` */
export async function confirmAddress(ctx: Ctx, token: string): Promise<void> {
  if (!(await store.confirm(ctx.db, hashOf(token)))) throw invalidLink()
}

/** A token that ends the mails to one address; it never expires, because mails are kept for years. */
export const unsubscribeToken = ({ vault }: Pick<Ctx, 'vault'>, id: string): string =>
  signedId(vault, PURPOSE, id)

/** Deletes an address, from a link in one of its mails. Idempotent. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<void> {
  const id = idIn(ctx.vault, PURPOSE, token)
  if (id === undefined)
    throw new Problem(
      'invalid_token',
      'This link is not complete: open it in the mail again, or copy all of it',
    )
  await store.removeSubscriber(ctx.db, id)
}
