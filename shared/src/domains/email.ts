import { declare } from './declare.ts'

/** Mail: wording, sending and outbox. */
export const email = declare({
  permissions: {
    'email.view': 'Read sent mails',
    'email.manage': 'Change mail templates and resend mails',
  },
  presets: {
    support_lead: ['email.view'],
    content: ['email.view', 'email.manage'],
  },
})
