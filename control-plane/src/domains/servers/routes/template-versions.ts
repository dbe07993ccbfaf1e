import { z } from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { template } from '../../templates/index.ts'
import { Tried, TryTemplate, tryTemplate as tryOut } from '../lifecycle/try-template.ts'
import { applyNewestVersion } from '../template-versions/template-servers.ts'
import { serversOfOlderVersions } from '../template-versions/template-servers-store.ts'

export const listOutdatedServers = get('/api/templates/{id}/outdated', {
  summary: 'Servers on an older version of a template',
  access: { who: 'admin', may: 'templates.view', on: template },
  reply: z.object({
    items: z.array(z.object({ id: z.uuid(), name: z.string(), templateVersion: z.int() })),
  }),
  handle: async ({ ctx, template }) => ({
    items: await serversOfOlderVersions(ctx.db, template),
  }),
})

export const applyTemplate = post('/api/templates/{id}/apply', {
  summary: 'Recreate servers with the newest version of a template',
  access: { who: 'admin', may: 'templates.manage', on: template },
  body: z.strictObject({
    confirm: z.boolean().describe('must be true: running servers are restarted'),
    serverIds: z.array(z.uuid()).min(1).max(1000).optional(),
  }),
  reply: z.object({
    jobs: z.array(z.object({ serverId: z.uuid(), jobId: z.uuid() })),
    /** Servers that cannot be changed now, with the reason. */
    skipped: z.array(z.object({ serverId: z.uuid(), detail: z.string() })),
  }),
  status: 202,
  recorded: 'updated servers to the newest version of {target}',
  handle: ({ ctx, template, body }) => applyNewestVersion(ctx, template, body),
})

export const tryTemplate = post('/api/templates/{id}/try', {
  summary: 'Try a template: a server of its newest version that is deleted after some minutes',
  access: { who: 'admin', may: 'servers.create', on: template },
  body: TryTemplate,
  reply: Tried,
  status: 202,
  recorded: 'tried the template {target}',
  handle: ({ ctx, template, body }) => tryOut(ctx, template, body),
})
