import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import {
  ABUSE_TYPES,
  type AbuseConfig,
  type AbuseReceived,
  type AbuseReport,
} from '@lodge/shared/support/abuse.ts'
import type { TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import type { Ctx } from '../../../context.ts'
import type { Issued } from '../../../events/mails.ts'
import { secondsUntilTaken } from '../../../http/throttle.ts'
import { plainText } from '../../../markdown.ts'
import { attachStored } from '../../attachments/index.ts'
import { queueMail } from '../../email/index.ts'
import { readSettings } from '../../settings/index.ts'
import { requireCaptcha, signupSettings } from '../../signup/index.ts'
import { supportBudgets } from '../budgets.ts'
import { findGroup } from '../categories/store.ts'
import { abuseReceived } from '../mail/mails.ts'
import { createTicket } from '../tickets/create.ts'
import { TICKET_MESSAGE } from '../tickets/messages.ts'
import { insertMessage } from '../tickets/thread-store.ts'
import { filesOfReceipts } from './evidence.ts'
import { issueReportLink } from './follow.ts'
import { abuseArea } from './settings.ts'
import { findByPort, findNodeAt } from './store.ts'
import { targetIn } from './target.ts'

/** Priorities of reports about what keeps doing harm. */
const PRIORITIES: Readonly<Partial<Record<AbuseReport['type'], TicketPriority>>> = {
  csam: 'urgent',
  phishing: 'urgent',
  malware: 'high',
  ddos: 'high',
}

export async function abuseConfig({ db }: Ctx): Promise<AbuseConfig> {
  const [{ enabled }, { captcha }] = await Promise.all([
    readSettings(db, abuseArea),
    signupSettings(db),
  ])
  const { provider, siteKey } = captcha
  return { enabled, types: [...ABUSE_TYPES], captcha: { provider, siteKey } }
}

/**
 * Accepts a report from somebody without an account. The response is the same for every target, so
 * that it does not reveal what runs where.
 * @throws {Problem} captcha_failed, validation_failed; conflict of its files
 */
export async function reportAbuse(
  ctx: Ctx,
  report: AbuseReport,
  remoteAddress: string,
): Promise<AbuseReceived> {
  const { groupId } = await readSettings(ctx.db, abuseArea)
  await requireCaptcha(ctx, await signupSettings(ctx.db), report.captcha, remoteAddress)
  const reference = `AB-${randomBytes(5).toString('hex').toUpperCase()}`
  const { token } = await ctx.transaction(async (ctx) => {
    const issued = await open(ctx, report, reference, groupId)
    if (report.reporterEmail !== '') await confirm(ctx, report.reporterEmail, { reference, issued })
    return issued
  })
  const statusUrl = `${ctx.panelUrl}${panelPath('reportStatus')}#token=${token}`
  return { reference, statusUrl }
}

/**
 * Confirms a report to its reporter by mail, unless too many were confirmed already: strangers may
 * enter anybody's address.
 */
async function confirm(
  ctx: Ctx,
  to: string,
  { reference, issued }: { readonly reference: string; readonly issued: Issued },
): Promise<void> {
  const { abuseConfirmed, abuseConfirmedAll } = supportBudgets
  if ((await secondsUntilTaken(ctx.db, abuseConfirmed, mailboxOf(to))) > 0) return
  if ((await secondsUntilTaken(ctx.db, abuseConfirmedAll, 'all')) > 0) return
  await queueMail(ctx, abuseReceived, { to, userId: null, variables: { reference }, issued })
}

/** The mailbox behind an address: most servers deliver a+1@b to a@b. */
const mailboxOf = (address: string): string => address.replace(/\+[^@]*(?=@)/, '')

/** @returns the link with which the reporter follows it */
async function open(
  ctx: Ctx,
  { type, target, description, occurredAt, reporterEmail: email, evidence }: AbuseReport,
  reference: string,
  groupId: string | null,
): Promise<Issued> {
  const files = filesOfReceipts(ctx, evidence)
  const { serverId, note } = await lookUp(ctx, target)
  const sender = {
    kind: 'customer',
    userId: null,
    email,
    channel: 'abuse',
    unverified: true,
  } as const
  const { ticket, messageId } = await createTicket(ctx, sender, {
    subject: `${TITLES[type]}: ${target}`.slice(0, 200),
    body: [
      `${description}\n\nTarget: \`${target.replaceAll('`', "'")}\``,
      ...(occurredAt === undefined ? [] : [`Happened: ${inUtc(occurredAt)}`]),
      `Reference: ${reference}`,
    ].join('  \n'),
    requester: { id: null, email },
    ...{ source: 'abuse', priority: PRIORITIES[type] ?? 'normal', serverId },
    // A stored group may no longer exist: settings from before this check was made.
    groupId: groupId !== null && (await findGroup(ctx.db, groupId)) ? groupId : null,
    tags: ['abuse', type],
  })
  await attachStored(ctx, { kind: TICKET_MESSAGE, id: messageId }, files, null)
  await insertMessage(ctx.db, {
    ...{ id: randomUUIDv7(), ticketId: ticket.id, kind: 'note', authorKind: 'system' },
    ...{ body: note, plain: plainText(note), channel: 'system', createdAt: ctx.now },
  })
  return issueReportLink(ctx, ticket.id, reference)
}

/** `2026-01-31 12:00 UTC`, since agents are in any time zone. */
const inUtc = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const TITLES: Readonly<Record<AbuseReport['type'], string>> = {
  spam: 'Spam',
  phishing: 'Phishing',
  malware: 'Malware',
  copyright: 'Copyright',
  ddos: 'Attack',
  csam: 'Abuse of children',
  other: 'Abuse',
}

/** The current owner of the target, for staff only: ports change hands. */
async function lookUp(
  { db }: Ctx,
  text: string,
): Promise<{ serverId: string | null; note: string }> {
  const target = targetIn(text)
  const server = target && (await findByPort(db, target))
  if (server)
    return {
      serverId: server.id,
      note: `At the time of the report this port belonged to the server “${server.name}” of ${server.owner} on ${server.node}.`,
    }
  const node = target && (await findNodeAt(db, target))
  const note = node
    ? `The address is that of the node ${node}; the port belongs to no server now.`
    : 'No node or server has this address.'
  return { serverId: null, note }
}
