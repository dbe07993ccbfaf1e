import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { readerOf } from '../../moment-text.ts'
import { Problem } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import { testMail } from './mails.ts'
import { mailPanel, mailValues } from './outbox.ts'
import { renderMail } from './render.ts'
import { mailSettings } from './settings.ts'
import { openTransport } from './transport.ts'
import { wordingOf } from './wording.ts'

/** Connection timeout of a test, and the test's duration whenever no server answers. */
const CONNECT_MS = 4_000
const UNREACHED_MS = 5_000

/** Sends one mail to the caller, bypassing the outbox, and reports the result. */
export async function testSettings(
  ctx: Ctx<User>,
): Promise<{ sent: boolean; smtpCode: number | null; error: string | null }> {
  const { host, ...rest } = await mailSettings(ctx.db)
  if (host === null) {
    throw new Problem(
      'invalid_state',
      'No mail server is set: mail is kept in the outbox to be read',
    )
  }
  const transport = await openTransport({ ...rest, host }, ctx.vault, CONNECT_MS)
  const reader = readerOf(await findUser(ctx.db, ctx.actor.id), ctx.language)
  const values = mailValues(ctx, testMail, {
    variables: {},
    panel: await mailPanel(ctx, rest.from.name),
    user: { name: '', email: ctx.actor.email },
    reader,
  })
  const rendered = renderMail(await wordingOf(ctx, testMail, reader.language), values)
  const until = setTimeout(UNREACHED_MS, undefined, { ref: false })
  try {
    const messageId = `<${randomUUID()}@${new URL(ctx.panelUrl).hostname}>`
    const end = await transport.deliver({ ...rendered, to: ctx.actor.email, messageId })
    if (end.sent) return { sent: true, smtpCode: end.smtpCode, error: null }
    ctx.log.warn({ smtpCode: end.smtpCode, cause: end.cause }, 'test mail not sent')
    // A closed port refuses immediately and a filtered one does not answer; a constant duration hides
    // which.
    if (end.smtpCode === null) await until
    return { sent: false, smtpCode: end.smtpCode, error: end.error }
  } finally {
    transport.close()
  }
}
