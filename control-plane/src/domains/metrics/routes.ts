import { Players } from '@lodge/shared/players.ts'
import { MetricsQuery, ServerMetrics } from '@lodge/shared/servers.ts'
import { get } from '../../http/endpoint.ts'
import { notFound } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import { server } from '../servers/index.ts'
import { readPlayers } from './players.ts'
import { NodeMetrics, readMetrics, readNodeMetrics } from './read.ts'
import { windowOf } from './window.ts'

export const serverMetrics = get('/api/servers/{id}/metrics', {
  summary: 'History of the figures of a server',
  access: { who: 'user', on: server, may: 'metrics.view' },
  query: MetricsQuery,
  reply: ServerMetrics,
  handle: ({ ctx, server, query }) => readMetrics(ctx.db, server, windowOf(query, ctx.now)),
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
  query: MetricsQuery,
  reply: NodeMetrics,
  handle: async ({ ctx, params, query }) => {
    const node = await findNode(ctx.db, params.id)
    if (!node) throw notFound('node')
    return readNodeMetrics(ctx.db, node, windowOf(query, ctx.now))
  },
})
