import { declare } from './declare.ts'

/** Help for customers. */
export const support = declare({
  permissions: {
    'support.view': 'See tickets of customers and the notes in them',
    'support.reply': 'Answer tickets, write notes, and change their status and tags',
    'support.assign': 'Give tickets to groups and agents',
    'support.delete': 'Delete tickets with their messages and files',
    'support.settings': 'Arrange the support desk: categories, groups, hours and rules',
    'support.reports': 'See the reports of the support desk',
    'articles.manage': 'Write, publish and delete help articles',
  },
  problems: {
    signature_invalid: { status: 401, title: 'The signature is not valid' },
    sender_unchecked: {
      status: 503,
      title: 'Nobody could be asked about the sender of the mail',
    },
    ticket_changed: { status: 409, title: 'The ticket has changed' },
  },
  presets: {
    support_agent: ['support.view', 'support.reply', 'support.assign', 'articles.manage'],
    support_lead: [
      'support.view',
      'support.reply',
      'support.assign',
      'support.delete',
      'support.settings',
      'support.reports',
      'articles.manage',
    ],
    content: ['articles.manage'],
  },
})
