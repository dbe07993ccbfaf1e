import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { mailValues, wordingOf } from './outbox.ts'
import { renderMail } from './render.ts'
import { mailSettings } from './settings.ts'
import { openTransport } from './transport.ts'

/** How long a test waits for a mail server, and how long it takes whenever there is none. */
const CONNECT_MS = 4_000
const UNREACHED_MS = 5_000

/** Sends one mail to whoever asks, past the outbox, and tells how it went. */
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
  const values = mailValues(ctx, 'test', {
    variables: {},
    panelName: rest.from.name,
    user: { name: '', email: ctx.actor.email },
  })
  const rendered = renderMail(await wordingOf(ctx, 'test'), values)
  const until = setTimeout(UNREACHED_MS, undefined, { ref: false })
  try {
    const messageId = `<${randomUUID()}@${new URL(ctx.panelUrl).hostname}>`
    const end = await transport.deliver({ ...rendered, to: ctx.actor.email, messageId })
    if (end.sent) return { sent: true, smtpCode: end.smtpCode, error: null }
    ctx.log.warn({ smtpCode: end.smtpCode, cause: end.cause }, 'test mail not sent')
    // A port that is closed refuses at once, an open one that is silent does not: neither is to be seen.
    if (end.smtpCode === null) await until
    return { sent: false, smtpCode: end.smtpCode, error: end.error }
  } finally {
    transport.close()
  }
}
