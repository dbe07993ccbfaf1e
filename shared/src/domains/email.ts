import { declare } from './declare.ts'

/** Mail: wording, sending and outbox. */
export const email = declare({
  permissions: {
    'email.view': 'Read the mail that was sent',
    'email.manage': 'Change mail templates and send mail again',
  },
  presets: {
    support_lead: ['email.view'],
    content: ['email.view', 'email.manage'],
  },
})
