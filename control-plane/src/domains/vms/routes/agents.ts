import { VmAuthorization, VmConsoles } from '@lodge/shared/vms.ts'
import { z } from 'zod'
import { UUID } from '../../../http/authorize.ts'
import { get } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { authorizeBoot } from '../authorize.ts'

export const authorizeVmBoot = get('/api/agent/servers/{id}/vm-authorization', {
  summary: 'Fresh decision whether a guest may boot now',
  access: { who: 'agent' },
  query: z.object({
    attempt: z.uuid(),
    generation: z.coerce.number().int().min(0),
    epoch: z.coerce.number().int().min(0),
  }),
  reply: VmAuthorization,
  handle: ({ ctx, params, query, http }) => {
    if (!UUID.test(params.id)) throw notFound('server')
    http.reply.header('cache-control', 'no-store')
    return authorizeBoot(ctx, params.id, query)
  },
})

/** Of these kinds the bytes of a machine are. */
const KINDS = new Set(['vnc', 'serial', 'copy'])

export const listVmConsoles = get('/api/agent/vm-consoles', {
  summary: 'Screens, serial lines and copies that wait for the agent to dial',
  access: { who: 'agent' },
  reply: VmConsoles,
  handle: async ({ ctx, http }) => {
    http.reply.header('cache-control', 'no-store')
    const items = ctx.fleet
      .pendingRelays(ctx.actor.nodeId)
      .filter(({ kind }) => KINDS.has(kind))
      .map(({ sessionId, serverId, kind, ticket, mayWrite }) => ({
        sessionId,
        serverId,
        kind,
        ticket,
        mayWrite,
      }))
    return { items }
  },
})
