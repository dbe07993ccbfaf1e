import { ServerMetrics } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { get } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import { readMetrics } from './read.ts'

export const serverMetrics = get('/api/servers/{id}/metrics', {
  summary: 'History of the figures of a server',
  access: { who: 'user', on: server, may: 'view' },
  query: z.object({ range: ServerMetrics.shape.range.default('hour') }),
  reply: ServerMetrics,
  handle: ({ ctx, server, query }) => readMetrics(ctx.db, server, query.range, ctx.now),
})
