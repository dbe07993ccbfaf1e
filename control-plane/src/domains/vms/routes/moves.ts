import { JobAccepted } from '@lodge/shared/jobs.ts'
import { MigrateVm, VmMigrationTargets } from '@lodge/shared/vm-moves.ts'
import { get, post } from '../../../http/endpoint.ts'
import { server } from '../../servers/index.ts'
import { migrate } from '../moves/migrate.ts'
import { migrationTargets } from '../moves/targets.ts'

export const listVmMigrationTargets = get('/api/servers/{id}/vm/migration-targets', {
  summary: 'Nodes that a stopped virtual machine could move to, and why not to the others',
  access: { who: 'user', on: server, may: 'vm.resources' },
  reply: VmMigrationTargets,
  handle: ({ ctx, server }) => migrationTargets(ctx, server),
})

export const migrateVm = post('/api/servers/{id}/vm/migrate', {
  summary: 'Back up a stopped virtual machine and move it to another node',
  access: { who: 'user', on: server, may: 'vm.resources' },
  body: MigrateVm,
  reply: JobAccepted,
  status: 202,
  recorded: 'moved {target} to another node',
  handle: ({ ctx, server, body }) => migrate(ctx, server, body),
})
