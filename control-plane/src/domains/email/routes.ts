import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { pageOf } from '../../db/cursor.ts'
import { sendCsv } from '../../http/csv.ts'
import { del, get, post, put } from '../../http/endpoint.ts'
import { message } from './access.ts'
import { emailBudgets } from './budgets.ts'
import { outboxAsCsv } from './export.ts'
import * as outbox from './outbox.ts'
import {
  changeMailSettings,
  describeMailSettings,
  EditMailSettings,
  MailSettingsView,
  mailSettings,
} from './settings.ts'
import { deleteEdit } from './store.ts'
import * as templates from './templates.ts'
import { testSettings } from './test-settings.ts'

const known = (ctx: Ctx, params: { readonly template: string }) =>
  outbox.knownMail(ctx, params.template)

export const listOutbox = get('/api/email/outbox', {
  summary: 'Delivery log of mail; with its content while no mail server is set',
  access: { who: 'admin', may: 'email.view' },
  query: outbox.OutboxQuery,
  reply: pageOf(outbox.OutboxMessage),
  handle: ({ ctx, query }) => outbox.pageOfOutbox(ctx, query),
})

export const exportOutbox = get('/api/email/outbox/export', {
  summary: 'Delivery log of mail as CSV, without what the mails say',
  access: { who: 'admin', may: 'email.view' },
  query: outbox.OutboxWanted,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) =>
    sendCsv(http.reply, 'outbox.csv', outboxAsCsv(ctx, query)),
})

export const retryMessage = post('/api/email/outbox/{id}/retry', {
  summary: 'Send a failed message again now',
  access: { who: 'admin', may: 'email.manage', on: message },
  recorded: 'resent a failed mail',
  handle: ({ ctx, message }) => outbox.retry(ctx, message),
})

export const listEmailTemplates = get('/api/email/templates', {
  summary: 'Every mail template with its variables and edits',
  access: { who: 'admin', may: 'email.view' },
  reply: z.object({ items: z.array(templates.EmailTemplate) }),
  handle: ({ ctx }) => templates.listTemplates(ctx),
})

export const editEmailTemplate = put('/api/email/templates/{template}', {
  summary: 'Change the wording of a mail',
  access: { who: 'admin', may: 'email.manage', stepUp: true },
  body: templates.EditTemplate,
  reply: templates.EmailTemplate,
  recorded: 'changed a mail template',
  handle: ({ ctx, params, body }) => templates.editTemplate(ctx, known(ctx, params), body),
})

export const resetEmailTemplate = del('/api/email/templates/{template}', {
  summary: 'Back to the built-in wording',
  access: { who: 'admin', may: 'email.manage' },
  recorded: 'reset a mail template',
  handle: ({ ctx, params }) => deleteEdit(ctx.db, known(ctx, params).id),
})

export const previewEmailTemplate = post('/api/email/templates/{template}/preview', {
  summary: 'A draft with sample values; nothing is saved',
  access: { who: 'admin', may: 'email.manage' },
  recorded: false,
  body: templates.Draft,
  reply: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  handle: ({ ctx, params, body }) => templates.previewTemplate(ctx, known(ctx, params), body),
})

export const testEmailTemplate = post('/api/email/templates/{template}/test', {
  summary: 'Send a mail with sample values to yourself',
  access: { who: 'admin', may: 'email.manage', throttle: emailBudgets.testMail },
  reply: z.object({ messageId: z.uuid() }),
  status: 202,
  recorded: { words: 'sent themselves a sample mail', looks: true },
  handle: ({ ctx, params }) => templates.testTemplate(ctx, known(ctx, params)),
})

export const showMailSettings = get('/api/settings/mail', {
  summary: 'How mail is sent',
  access: { who: 'admin', may: 'settings.manage' },
  reply: MailSettingsView,
  handle: async ({ ctx }) => describeMailSettings(await mailSettings(ctx.db)),
})

export const editMailSettings = put('/api/settings/mail', {
  summary: 'Change how mail is sent',
  access: { who: 'admin', may: 'settings.manage', stepUp: true },
  body: EditMailSettings,
  reply: MailSettingsView,
  recorded: 'changed the mail settings',
  handle: ({ ctx, body }) => changeMailSettings(ctx, body),
})

export const testMailSettings = post('/api/settings/mail/test', {
  summary: 'Send a mail to yourself now and tell what the mail server answers',
  access: { who: 'admin', may: 'settings.manage', throttle: emailBudgets.testMail },
  waits: true,
  reply: z.object({
    sent: z.boolean(),
    smtpCode: z.int().nullable(),
    error: z.string().nullable(),
  }),
  recorded: { words: 'sent themselves a test mail', looks: true },
  handle: ({ ctx }) => testSettings(ctx),
})
