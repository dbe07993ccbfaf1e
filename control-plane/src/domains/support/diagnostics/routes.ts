import { Diagnostics } from '@lodge/shared/support/diagnostics.ts'
import { get } from '../../../http/endpoint.ts'
import { server } from '../../servers/index.ts'
import { diagnosticsOf } from './diagnostics.ts'

export const showDiagnostics = get('/api/support/diagnostics/{id}', {
  summary:
    'What helps to find out what is wrong with a server, without secrets, to read before sending it',
  // Console output may contain what customers said in private.
  access: { who: 'user', on: server, hiddenFromViewers: true },
  reply: Diagnostics,
  handle: ({ ctx, server }) => diagnosticsOf(ctx, server),
})
