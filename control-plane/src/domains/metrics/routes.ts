import { Players } from '@lodge/shared/players.ts'
import { ServerMetrics } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { get } from '../../http/endpoint.ts'
import { notFound } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import { server } from '../servers/index.ts'
import { readPlayers } from './players.ts'
import { NodeMetrics, readMetrics, readNodeMetrics } from './read.ts'

const query = z.object({ range: ServerMetrics.shape.range.default('hour') })

export const serverMetrics = get('/api/servers/{id}/metrics', {
  summary: 'History of the figures of a server',
  access: { who: 'user', on: server, may: 'metrics.view' },
  query,
  reply: ServerMetrics,
  handle: ({ ctx, server, query }) => readMetrics(ctx.db, server, query.range, ctx.now),
})

export const serverPlayers = get('/api/servers/{id}/players', {
  summary: 'Who plays on a server',
  access: { who: 'user', on: server, may: 'metrics.view' },
  reply: Players,
  handle: ({ ctx, server }) => readPlayers(ctx.db, server),
})

export const nodeMetrics = get('/api/nodes/{id}/metrics', {
  summary: 'History of the figures of a node',
  access: { who: 'admin', may: 'nodes.view' },
  query,
  reply: NodeMetrics,
  handle: async ({ ctx, params, query }) => {
    if (!(await findNode(ctx.db, params.id))) throw notFound('node')
    return readNodeMetrics(ctx.db, params.id, query.range, ctx.now)
  },
})
