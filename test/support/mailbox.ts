import type { Lodge } from './stack.ts'
import { until } from './until.ts'

export interface CaughtMail {
  readonly id: string
  readonly template: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The one-time token of its link, if it has one. */
  readonly token: string
}

/** Mails to an address in the outbox, newest first. */
export async function mailsTo(lodge: Lodge, to: string): Promise<CaughtMail[]> {
  const { items } = await (await lodge.admin()).must('GET /api/email/outbox', {
    query: { limit: 100 },
  })
  return items
    .filter((item) => item.to === to)
    .map((item) => {
      const text = item.content?.text ?? ''
      const token = /#token=([\w-]+)/.exec(text)?.[1] ?? ''
      const { id, template, subject } = item
      return { id, template, to, subject, text, token }
    })
}

/** The newest mail of a kind to an address, as soon as there is one. */
export const mailTo = (lodge: Lodge, to: string, template: string): Promise<CaughtMail> =>
  until(async () => (await mailsTo(lodge, to)).find((mail) => mail.template === template))
