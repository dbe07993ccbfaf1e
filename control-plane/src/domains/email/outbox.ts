import { randomUUIDv7 } from 'node:crypto'
import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { OUTBOX_FIELDS, OUTBOX_SORTS } from '@lodge/shared/lists/outbox.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor, pageQuery } from '../../db/cursor.ts'
import { filterOf } from '../../db/filter.ts'
import { orderOf, positionIn, sortOf } from '../../db/ordered.ts'
import type { Filling, Issued, Mail, OnceMail } from '../../events/mails.ts'
import { momentText, type Reader, readerOf } from '../../moment-text.ts'
import { notFound, Problem } from '../../problem.ts'
import { lookOfMails } from '../branding/index.ts'
import { findUser } from '../customers/index.ts'
import { type ListedMessage, listMessages, OUTBOX_SORT_KEYS } from './list-store.ts'
import { type MailValues, type Rendered, renderMail, type Wording } from './render.ts'
import { mailSettings } from './settings.ts'
import * as store from './store.ts'
import type { Conversation } from './tables.ts'
import { linkOf } from './variables.ts'
import { builtInWording, wordingOf } from './wording.ts'

const DEFAULT_LIFE_HOURS = 72

export const OutboxMessage = z.object({
  id: z.uuid(),
  template: z.string(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'sent', 'failed']),
  attempts: z.int(),
  nextAttemptAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  smtpCode: z.int().nullable(),
  messageId: z.string(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /**
   * Present only while no mail server is configured, so that a first installation works without
   * one.
   */
  content: z.object({ text: z.string(), html: z.string() }).nullable(),
})
export type OutboxMessage = z.infer<typeof OutboxMessage>

const place = (id: string) => ({ table: 'email_messages', id, column: 'content' })
/** Text and HTML of a message. */
export function contentOf(ctx: Pick<Ctx, 'vault'>, row: store.MessageRow): Rendered | undefined {
  if (!row.content) return undefined
  const content = JSON.parse(ctx.vault.open(row.content, place(row.id))) as {
    text: string
    html: string
  }
  return { subject: row.subject, ...content }
}

/** Values for the variables of a mail. */
export const mailValues = (
  { panelUrl }: Pick<Ctx, 'panelUrl'>,
  mail: Mail,
  given: {
    readonly variables: Readonly<Record<string, string>>
    readonly panel: MailValues['panel']
    readonly user: MailValues['user']
    readonly issued?: Issued | undefined
    /** Whose format and time zone the times use. */
    readonly reader: Reader
  },
): MailValues => ({
  ...given.variables,
  link: linkOf(mail, panelUrl, given.issued?.token, given.variables) ?? '',
  expires: given.issued ? momentText(given.issued.expiresAt, given.reader) : '',
  panel: given.panel,
  user: given.user,
})

/** The panel's name and look for mails. */
export const mailPanel = async (
  { db, panelUrl }: Pick<Ctx, 'db' | 'panelUrl'>,
  sender?: string,
): Promise<MailValues['panel']> => ({
  ...(await lookOfMails(db, sender ?? (await mailSettings(db)).from.name)),
  url: panelUrl,
})

/**
 * Returns the link of a mail to the caller if no mail server is configured to send it.
 * @returns whether it did
 */
export async function handOverLink(
  ctx: Ctx,
  mail: OnceMail,
  { token, expiresAt }: Issued,
): Promise<boolean> {
  if (!ctx.handOver || (await mailSettings(ctx.db)).host !== null) return false
  const url = linkOf(mail, ctx.panelUrl, token, {})
  if (url === undefined) return false
  ctx.handOver({ url, expiresAt: expiresAt.toISOString() })
  return true
}

/**
 * Puts a mail into the outbox in the caller's transaction: it is sent if and when that commits.
 * @param given recipient and values
 */
export async function queueMail<M extends Mail>(
  ctx: Ctx,
  mail: M,
  given: {
    readonly to: string
    readonly userId: string | null
    readonly wording?: Wording
    /**
     * Whose format, language and time zone apply if not the account's; without either, those of the
     * request.
     */
    readonly reader?: Reader
    /** The language of the request that caused the mail, if that request is over. */
    readonly asked?: Language | undefined
    /** URL with which mail programs unsubscribe in one click (RFC 8058). */
    readonly unsubscribeUrl?: string
    readonly conversation?: Conversation
  } & Filling<M>,
): Promise<string | undefined> {
  const user = given.userId === null ? undefined : await findUser(ctx.db, given.userId)
  const reader = given.reader ?? readerOf(user, given.asked ?? languageAsked(ctx, user))
  const wording = given.wording ?? (await wordingOf(ctx, mail, reader.language))
  const { security, priority, once } = mail
  if ('enabled' in wording && wording.enabled === false && !security) return undefined
  const settings = await mailSettings(ctx.db)
  const issued: Issued | undefined = given.issued
  const values = mailValues(ctx, mail, {
    variables: typeof given.variables === 'function' ? given.variables(reader) : given.variables,
    panel: await mailPanel(ctx, settings.from.name),
    user: { name: user?.name ?? '', email: given.to },
    issued,
    reader,
  })
  if (settings.host === null && issued && once === true)
    ctx.handOver?.({ url: String(values.link), expiresAt: issued.expiresAt.toISOString() })
  const { subject, ...content } = renderSafely(ctx, mail, wording, values, reader)
  const id = randomUUIDv7()
  await store.insertMessage(ctx.db, {
    id,
    template: mail.id,
    userId: given.userId,
    toAddress: given.to,
    subject,
    content: ctx.vault.seal(JSON.stringify(content), place(id)),
    priority,
    messageId: given.conversation?.messageId ?? `<${id}@${new URL(ctx.panelUrl).hostname}>`,
    unsubscribeUrl: given.unsubscribeUrl ?? null,
    conversation: given.conversation ?? null,
    expiresAt: issued?.expiresAt ?? new Date(ctx.now.getTime() + DEFAULT_LIFE_HOURS * 3_600_000),
  })
  return id
}

/**
 * The language of the request if the reader or their inviter made it; requests of others say nothing
 * about the language of somebody who has an account already.
 */
function languageAsked(
  { actor, language }: Ctx,
  reader: Awaited<ReturnType<typeof findUser>>,
): Language | undefined {
  const isOfSomebodyElse = actor.kind === 'user' && actor.id !== reader?.id
  return isOfSomebodyElse && reader && reader.passwordHash !== null ? undefined : language
}

/** Custom wording that fails with real values must not block the operation that sends the mail. */
function renderSafely(
  ctx: Ctx,
  mail: Mail,
  wording: Wording,
  values: MailValues,
  { language }: Reader,
): Rendered {
  try {
    return renderMail(wording, values)
  } catch (error) {
    ctx.log.warn(
      { err: error, template: mail.id },
      'custom wording of a mail failed, sending the built-in one',
    )
    return renderMail(builtInWording(ctx, mail, language), values)
  }
}

const wanted = {
  state: OutboxMessage.shape.state.optional(),
  filter: filterOf(OUTBOX_FIELDS, 'state:failed to:*@example.com invitation'),
  sort: sortOf(OUTBOX_SORTS).default('-created'),
}

/** Filter and order of the delivery log. */
export const OutboxWanted = z.object(wanted)
export const OutboxQuery = z.object({ ...pageQuery, ...wanted })

type Query = Omit<z.output<typeof OutboxQuery>, 'limit'> & { readonly limit: number }

export async function pageOfOutbox(ctx: Ctx<User>, query: Query) {
  const order = orderOf(query.sort, OUTBOX_SORT_KEYS)
  const wanted = {
    state: query.state,
    terms: parseFilter(query.filter ?? '', OUTBOX_FIELDS),
    after: decodeCursor(query.after),
    limit: query.limit,
  }
  const found = await listMessages(ctx.db, wanted, order)
  const page = cutPage(found, query.limit, ({ row, key }) => positionIn(order, { id: row.id, key }))
  const catching = (await mailSettings(ctx.db)).host === null
  return { ...page, items: page.items.map(({ row }) => describe(ctx, row, catching)) }
}

/** Links to administrators open their accounts, so only the super administrator may read them. */
function describe(ctx: Ctx<User>, row: ListedMessage, catching: boolean): OutboxMessage {
  const readable = catching && (row.role !== 'admin' || ctx.actor.superAdmin)
  const content = readable ? contentOf(ctx, row) : undefined
  return {
    id: row.id,
    template: row.template,
    to: row.toAddress,
    subject: row.subject,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.state === 'queued' ? row.nextAttemptAt.toISOString() : null,
    lastError: row.lastError,
    smtpCode: row.smtpCode,
    messageId: row.messageId,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    content: content ? { text: content.text, html: content.html } : null,
  }
}

/** Requeues a failed message for immediate sending. */
export async function retry(ctx: Ctx<User>, message: store.MessageRow): Promise<void> {
  if (!message.content || message.expiresAt < ctx.now) {
    throw new Problem('invalid_state', 'The link in this mail no longer works: send a new one')
  }
  if (!(await store.requeue(ctx.db, message.id)))
    throw new Problem('invalid_state', 'Only a failed message can be sent again')
}

/** The declared kind of mail with this id. */
export function knownMail({ catalogue }: Pick<Ctx, 'catalogue'>, id: string): Mail {
  const mail = catalogue.mails.get(id)
  if (!mail) throw notFound('template')
  return mail
}
