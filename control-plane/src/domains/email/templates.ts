import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Mail } from '../../events/mails.ts'
import { invalid } from '../../http/input.ts'
import { readerOf } from '../../moment-text.ts'
import { Problem } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import { mailPanel, queueMail } from './outbox.ts'
import { checkWording, type MailValues, type Rendered, renderMail, type Wording } from './render.ts'
import * as store from './store.ts'
import { COMMON_VARIABLES, samplesOf, variablesOf } from './variables.ts'
import { ownWording, wordingOf } from './wording.ts'

export const EmailTemplate = z.object({
  id: z.string().meta({ listed: 'mails' }),
  title: z.string(),
  variables: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  html: z.string().nullable(),
  enabled: z.boolean(),
  edited: z.boolean(),
  /** Mail about account security cannot be turned off. */
  mandatory: z.boolean(),
  builtIn: z.object({ subject: z.string(), body: z.string() }),
})
export type EmailTemplate = z.infer<typeof EmailTemplate>

const subject = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}]+$/u, 'must be one line')
const body = z.string().trim().min(1).max(20_000)
const html = z.string().max(60_000).nullable()
export const EditTemplate = z.strictObject({
  subject,
  body,
  html: html.optional(),
  enabled: z.boolean().optional(),
})
export const Draft = z.strictObject({
  subject: subject.optional(),
  body: body.optional(),
  html: html.optional(),
})

function describe(mail: Mail, row: store.TemplateRow | undefined): EmailTemplate {
  const { id, title, security } = mail
  const builtIn = { subject: mail.subject, body: mail.body }
  const own = ownWording(mail, row)
  return {
    id,
    title,
    variables: variablesOf(mail),
    ...(own ?? { ...builtIn, html: null }),
    enabled: row?.enabled ?? true,
    edited: own !== undefined,
    mandatory: security === true,
    builtIn,
  }
}

export async function listTemplates(ctx: Ctx): Promise<{ items: EmailTemplate[] }> {
  const edits = new Map((await store.listEdits(ctx.db)).map((row) => [row.id, row]))
  const mails = [...ctx.catalogue.mails.values()]
  return { items: mails.map((mail) => describe(mail, edits.get(mail.id))) }
}

export async function editTemplate(
  ctx: Ctx,
  mail: Mail,
  given: z.output<typeof EditTemplate>,
): Promise<EmailTemplate> {
  const wording = { subject: given.subject, body: given.body, html: given.html ?? null }
  renderSample(mail, { ...wording, language: ENGLISH }, await mailPanel(ctx))
  if (given.enabled === false && mail.security) {
    throw new Problem('conflict', 'Mails about account security cannot be turned off')
  }
  const row = await store.saveEdit(ctx.db, {
    id: mail.id,
    ...wording,
    enabled: given.enabled ?? true,
    builtInSubject: mail.subject,
    builtInBody: mail.body,
  })
  return describe(mail, row)
}

const draftOver = (present: Wording, draft: z.output<typeof Draft> | undefined): Wording => ({
  subject: draft?.subject ?? present.subject,
  body: draft?.body ?? present.body,
  html: draft?.html === undefined ? present.html : draft.html,
  language: present.language,
})

/** Renders a draft with sample values without saving it. */
export async function previewTemplate(
  ctx: Ctx,
  mail: Mail,
  draft: z.output<typeof Draft>,
): Promise<Rendered> {
  return renderSample(
    mail,
    draftOver(await wordingOf(ctx, mail, ENGLISH), draft),
    await mailPanel(ctx),
  )
}

/** Refuses wording that is not allowed or exceeds the rendering limits. */
function renderSample(mail: Mail, wording: Wording, panel: MailValues['panel']): Rendered {
  checkWording(mail, wording)
  const values: MailValues = {
    ...samplesOf(mail),
    panel: { ...panel, url: COMMON_VARIABLES['panel.url'] },
    user: { name: COMMON_VARIABLES['user.name'], email: COMMON_VARIABLES['user.email'] },
  }
  try {
    return renderMail(wording, values)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unknown'
    throw invalid([{ pointer: '', detail: `does not render: ${message.slice(0, 200)}` }])
  }
}

/** Sends the template with sample values to the caller. */
export async function testTemplate(ctx: Ctx<User>, mail: Mail): Promise<{ messageId: string }> {
  const reader = readerOf(await findUser(ctx.db, ctx.actor.id), ctx.language)
  const { enabled: _, ...wording } = await wordingOf(ctx, mail, reader.language)
  const messageId = await queueMail(ctx, mail, {
    to: ctx.actor.email,
    userId: ctx.actor.id,
    variables: mail.variables,
    issued: { token: 'sample', expiresAt: new Date(ctx.now.getTime() + 86_400_000) },
    wording,
  })
  if (messageId === undefined) throw new Error('a test is always queued')
  return { messageId }
}
