import { JobAccepted } from '@lodge/shared/jobs.ts'
import { MoveServer, MoveTargets, TakeCopy } from '@lodge/shared/moves.ts'
import { z } from 'zod'
import { flagText } from '../../flag-text.ts'
import { del, get, post } from '../../http/endpoint.ts'
import { node } from '../nodes/index.ts'
import { server } from '../servers/index.ts'
import { changeStorage } from './change-storage.ts'
import { forgetCopy } from './forget-copy.ts'
import { moveServer } from './move.ts'
import { moveTargets } from './targets.ts'

export const listMoveTargets = get('/api/servers/{id}/migration-targets', {
  summary: 'Nodes that a container server could move to, and why not to the others',
  access: { who: 'user', on: server, may: 'settings.move' },
  reply: MoveTargets,
  handle: ({ ctx, server }) => moveTargets(ctx, server),
})

export const migrateServer = post('/api/servers/{id}/migrate', {
  summary:
    'Move a server to another node (a container while it runs, a virtual machine stopped), or stopped to another storage of its own',
  access: { who: 'user', on: server, may: 'settings.move' },
  body: MoveServer,
  reply: JobAccepted,
  status: 202,
  recorded: 'moved {target} to another node or storage',
  handle: ({ ctx, server, body }) => moveServer(ctx, server, body),
})

export const takeStorageCopy = post('/api/servers/{id}/take-copy', {
  summary:
    'Have a server take the older copy that a change of storage has left on its node, for example because its storage is away',
  access: { who: 'admin', may: 'servers.edit', on: server, stepUp: true },
  body: TakeCopy,
  reply: JobAccepted,
  status: 202,
  recorded: 'had {target} take an older copy of its files',
  handle: ({ ctx, server, body }) => changeStorage(ctx, server, { ...body, takeCopy: true }),
})

export const forgetStorageCopy = del('/api/nodes/{id}/storage-copies/{serverId}', {
  summary: 'Forget the copy of a server that a change of storage has left on its node',
  access: { who: 'admin', may: 'nodes.manage', on: node, stepUp: true },
  query: z.object({
    /** Required, because nothing deletes the files afterwards. */
    confirm: flagText.optional(),
  }),
  recorded: 'forgot a copy of a server on {target}',
  handle: ({ ctx, node, params, query }) => forgetCopy(ctx, node, params.serverId, query.confirm),
})
