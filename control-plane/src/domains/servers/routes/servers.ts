import { BackUpFirst } from '@lodge/shared/backups.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { ServerPlan } from '@lodge/shared/limits/of-plan-server.ts'
import {
  CreateServer,
  EditServer,
  MarkedServer,
  Server,
  ServerAction,
  ServerEvent,
  ShownServer,
} from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../../db/cursor.ts'
import { flagText } from '../../../flag-text.ts'
import { sendCsv } from '../../../http/csv.ts'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import { serverPlanOf } from '../../limits/index.ts'
import { server } from '../access/access.ts'
import { serversAsCsv } from '../export.ts'
import { showServer as shown } from '../labels/marks.ts'
import { Created, createServer as create } from '../lifecycle/create.ts'
import { removeServer as remove } from '../lifecycle/remove.ts'
import { keep } from '../lifecycle/self-service.ts'
import { listServers as list, ServerQuery, ServersWanted } from '../list.ts'
import { act } from '../power/power.ts'
import { editServer as edit } from '../settings/resize.ts'
import { pageOfEvents } from '../view/history.ts'

/** Audit wording of each action. */
const POWER: Readonly<Record<string, string>> = {
  start: 'started {target}',
  stop: 'stopped {target}',
  restart: 'restarted {target}',
  kill: 'killed {target}',
  suspend: 'suspended {target}',
  unsuspend: 'lifted the suspension of {target}',
  reinstall: 'reinstalled {target}',
  backup: 'backed up {target}',
  restore: 'restored {target} from a backup',
}

export const listServers = get('/api/servers', {
  summary: 'Servers the caller can access',
  access: { who: 'user', token: 'read', whileSuspended: 'data-export' },
  query: ServerQuery,
  reply: pageOf(MarkedServer),
  handle: ({ ctx, query }) => list(ctx, query),
})

export const exportServers = get('/api/servers/export', {
  summary: 'Servers the caller can access, as CSV',
  access: { who: 'user', token: 'read' },
  query: ServersWanted,
  streams: 'text/csv',
  handle: async ({ ctx, query, http }) => {
    sendCsv(http.reply, 'servers.csv', serversAsCsv(ctx, query))
  },
})

export const createServer = post('/api/servers', {
  summary: 'Provision a server',
  access: { who: 'admin', may: 'servers.create', token: 'provision' },
  body: CreateServer,
  reply: Created,
  status: 202,
  recorded: { words: 'created {target}', makesServer: true },
  handle: ({ ctx, body }) => create(ctx, body),
})

export const showServer = get('/api/servers/{id}', {
  summary: 'One server',
  access: { who: 'user', on: server, token: 'read', whileSuspended: 'data-export' },
  reply: ShownServer,
  handle: ({ ctx, server }) => shown(ctx, server),
})

export const showServerPlan = get('/api/servers/{id}/plan', {
  summary: 'The plan that a server came with, and what it includes',
  access: { who: 'user', on: server },
  reply: ServerPlan,
  handle: ({ ctx, server }) => serverPlanOf(ctx.db, server.id),
})

export const editServer = patch('/api/servers/{id}', {
  summary: 'Edit name and resources',
  access: { who: 'admin', may: 'servers.edit', on: server },
  body: EditServer,
  reply: Server,
  recorded: 'changed {target}',
  handle: ({ ctx, server, body }) => edit(ctx, server.id, body),
})

export const removeServer = del('/api/servers/{id}', {
  summary: 'Delete a server and its data',
  access: { who: 'admin', may: 'servers.delete', on: server, stepUp: true },
  query: z.object({
    /** The node will not come back: forget the server at once. */
    abandon: flagText.optional(),
    /** Required while a virtual machine runs. */
    confirm: flagText.optional(),
  }),
  reply: JobAccepted,
  status: 202,
  recorded: 'deleted {target}',
  handle: ({ ctx, server, query }) => remove(ctx, server, query),
})

/** The only actions open to tokens. */
const suspends = (body: unknown): boolean =>
  z.object({ action: z.enum(['suspend', 'unsuspend']) }).safeParse(body).success

export const cancelDeletion = post('/api/servers/{id}/cancel-deletion', {
  summary:
    'Keep a server that is scheduled for deletion; that of an ended subscription without its plan',
  access: { who: 'admin', may: 'servers.delete', on: server },
  reply: Server,
  recorded: 'cancelled the deletion of {target}',
  handle: ({ ctx, server }) => keep(ctx, server),
})

export const actOnServer = post('/api/servers/{id}/actions', {
  summary: 'Start, stop, restart, kill, suspend, unsuspend, reinstall, back up or restore',
  access: { who: 'user', on: server, token: 'suspend', tokenWhen: suspends },
  body: z.strictObject({
    action: ServerAction,
    backupId: z.uuid().optional(),
    confirm: z.boolean().optional(),
    backUpFirst: BackUpFirst,
    force: z.boolean().optional(),
  }),
  reply: JobAccepted,
  status: 202,
  recorded: { words: 'acted on {target}', byField: { name: 'action', words: POWER } },
  handle: ({ ctx, server, body }) => act(ctx, server, body.action, body),
})

export const listServerEvents = get('/api/servers/{id}/events', {
  summary: 'Crash and restart history',
  access: { who: 'user', on: server, may: 'events.view' },
  query: z.object({
    ...pageQuery,
    from: z.iso.datetime().optional(),
    to: z.iso.datetime().optional(),
  }),
  reply: pageOf(ServerEvent),
  handle: ({ ctx, server, query }) => pageOfEvents(ctx.db, server.id, query),
})
