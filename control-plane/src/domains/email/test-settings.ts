import { randomUUID } from 'node:crypto'
import type { Ctx, User } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { mailValues, wordingOf } from './outbox.ts'
import { renderMail } from './render.ts'
import { mailSettings } from './settings.ts'
import { openTransport } from './transport.ts'

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
  const transport = await openTransport({ ...rest, host }, ctx.vault)
  const values = mailValues(ctx, 'test', {
    variables: {},
    panelName: rest.from.name,
    user: { name: '', email: ctx.actor.email },
  })
  const rendered = renderMail(await wordingOf(ctx, 'test'), values)
  try {
    const messageId = `<${randomUUID()}@${new URL(ctx.panelUrl).hostname}>`
    const end = await transport.deliver({ ...rendered, to: ctx.actor.email, messageId })
    return { sent: end.sent, smtpCode: end.smtpCode, error: end.sent ? null : end.error }
  } finally {
    transport.close()
  }
}
