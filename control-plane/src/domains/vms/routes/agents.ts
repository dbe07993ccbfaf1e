import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { VmAuthorization, VmConsoles } from '@lodge/shared/vm-agents.ts'
import { z } from 'zod'
import { UUID } from '../../../http/authorize.ts'
import { get } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { keptFile } from '../../virtualization/index.ts'
import { authorizeBoot } from '../authorize.ts'
import { needsMedium } from '../store.ts'

export const authorizeVmBoot = get('/api/agent/servers/{id}/vm-authorization', {
  summary: 'Fresh decision whether a guest, or a guarded container, may start now',
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

/** Kinds of relays that belong to machines. */
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

const FINGERPRINT = /^[0-9a-f]{64}$/

export const readKeptMedium = get('/api/agent/media/{sha256}', {
  summary: 'The file of a medium that the control plane keeps, from `Range: bytes=<offset>-` on',
  access: { who: 'agent' },
  streams: 'application/octet-stream',
  handle: async ({ ctx, params, http }) => {
    const { sha256 } = params
    // A node may fetch only the media of its own machines.
    if (!FINGERPRINT.test(sha256) || !(await needsMedium(ctx.db, ctx.actor.nodeId, sha256)))
      throw notFound('medium')
    const file = keptFile(ctx, sha256)
    const facts = await stat(file).catch(() => null)
    if (!facts) throw notFound('medium')
    const asked = /^bytes=(\d{1,15})-$/.exec(http.request.headers.range ?? '')
    const offset = asked ? Number(asked[1]) : 0
    const { reply } = http
    if (offset > 0 && offset >= facts.size) {
      reply.code(416).header('content-range', `bytes */${facts.size}`).send()
      return
    }
    reply
      .code(offset > 0 ? 206 : 200)
      .type('application/octet-stream')
      .header('content-length', facts.size - offset)
    if (offset > 0) reply.header('content-range', `bytes ${offset}-${facts.size - 1}/${facts.size}`)
    reply.send(createReadStream(file, { start: offset }))
  },
})
