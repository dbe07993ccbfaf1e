import { THE_HOST } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { pageOfAudit } from '../../../audit/view.ts'
import { pageOf, pageQuery } from '../../../db/cursor.ts'
import { get } from '../../../http/endpoint.ts'
import { customersAmong } from '../../customers/index.ts'
import { server } from '../access/access.ts'

export const showActivity = get('/api/servers/{id}/activity', {
  summary: 'What people and tokens did to a server',
  access: { who: 'user', on: server, may: 'events.view' },
  query: z.object(pageQuery),
  reply: pageOf(
    z.object({
      id: z.uuid(),
      at: z.iso.datetime(),
      /** Who did it; customers see administrators as the host. */
      actor: z.string(),
      action: z.string(),
      /** What was done, phrased to follow the actor's name. */
      what: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
  handle: async ({ ctx, server, query }) => {
    const page = await pageOfAudit(ctx, { serverId: server.id }, query)
    const isHost = ctx.actor.role === 'admin'
    const customers = await customersAmong(
      ctx.db,
      page.items.flatMap(({ actor }) => actor.id ?? []),
    )
    const nameOf = ({ id, email }: { id: string | null; email: string | null }) =>
      id === null || isHost || customers.has(id) ? (email ?? 'The panel') : THE_HOST
    const items = page.items.map(({ id, at, actor, action, what, detail }) => ({
      id,
      at,
      actor: nameOf(actor),
      action,
      what,
      detail,
    }))
    return { ...page, items }
  },
})
