import { Viewing } from '@lodge/shared/accounts.ts'
import { del, post } from '../../../http/endpoint.ts'
import { customer } from '../../customers/index.ts'
import { beginViewing, stopViewing } from '../viewing/viewing.ts'

export const viewAsCustomer = post('/api/customers/{id}/view-as', {
  summary: 'View the panel as a customer, read-only, for 60 minutes',
  access: { who: 'admin', may: 'customers.view_as', on: customer, stepUp: true },
  reply: Viewing,
  recorded: { words: 'started viewing the panel as {target}', looks: true },
  handle: ({ ctx, customer }) => beginViewing(ctx, customer),
})

export const stopViewingAsCustomer = del('/api/auth/viewing', {
  summary: 'Stop viewing as a customer',
  access: { who: 'user', settingUp: true, whileSuspended: 'always', whileViewing: true },
  // Ending a viewing is recorded by its event, whatever the cause.
  recorded: false,
  handle: ({ ctx }) => stopViewing(ctx, ctx.actor.sessionId),
})
