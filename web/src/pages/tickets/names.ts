import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    support: 'Support',
    newTicket: 'New support ticket',
    newTicketKeywords: 'help request question contact',
    desk: 'Tickets',
    reports: 'Support reports',
    reportsKeywords: 'tickets figures statistics goals ratings response time csv',
    deskSettings: 'Support desk settings',
    deskSettingsKeywords:
      'tickets categories groups rules automation agents ratings reopen hours holidays calendar sla tiers goals',
  },
  { de: () => import('./names.de.ts') },
)
