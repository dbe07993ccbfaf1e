import { JobAccepted } from '@lodge/shared/jobs.ts'
import { MoveServer, MoveTargets } from '@lodge/shared/moves.ts'
import { get, post } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
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
