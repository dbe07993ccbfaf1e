import { DeskConfig } from '@lodge/shared/support/desk.ts'
import { get } from '../../../http/endpoint.ts'
import { configFor } from './config.ts'

export const showDeskConfig = get('/api/support/config', {
  summary: 'What somebody who writes a ticket needs to know: categories and the own support tier',
  access: { who: 'user', whileSuspended: 'tickets' },
  reply: DeskConfig,
  handle: ({ ctx }) => configFor(ctx),
})
