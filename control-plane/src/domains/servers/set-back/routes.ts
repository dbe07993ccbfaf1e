import { DecideFinding, SetBackStatus } from '@lodge/shared/set-back.ts'
import { get, post } from '../../../http/endpoint.ts'
import { decideFinding } from './decide.ts'
import { setBackStatus } from './status.ts'

export const showSetBack = get('/api/set-back', {
  summary: 'Whether the database was set back in time, and what nodes know more than it',
  access: { who: 'admin', may: 'nodes.view' },
  reply: SetBackStatus,
  handle: ({ ctx }) => setBackStatus(ctx),
})

export const decideSetBack = post('/api/set-back/decisions', {
  summary: 'Choose which state of a server counts: what its node has, or what the panel knows',
  access: { who: 'admin', may: 'nodes.manage' },
  body: DecideFinding,
  reply: SetBackStatus,
  recorded: 'decided which state of a server counts after the database was set back',
  handle: async ({ ctx, body }) => {
    await decideFinding(ctx, body)
    return setBackStatus(ctx)
  },
})
