import { JobAccepted } from '@lodge/shared/jobs.ts'
import { CreateVmSnapshot } from '@lodge/shared/vms.ts'
import { z } from 'zod'
import { UUID } from '../../../http/authorize.ts'
import { del, post } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { server } from '../../servers/index.ts'
import * as snapshots from '../snapshots/snapshots.ts'

const idOf = (text: string): string => {
  if (UUID.test(text)) return text
  throw notFound('snapshot')
}

export const createVmSnapshot = post('/api/servers/{id}/vm/snapshots', {
  summary: 'Copy disks, firmware variables and TPM of a stopped virtual machine',
  access: { who: 'user', on: server, may: 'vm.snapshots' },
  body: CreateVmSnapshot,
  reply: JobAccepted.extend({ snapshotId: z.uuid() }),
  status: 202,
  recorded: 'took a snapshot of {target}',
  handle: ({ ctx, server, body }) => snapshots.createSnapshot(ctx, server, body),
})

export const deleteVmSnapshot = del('/api/servers/{id}/vm/snapshots/{snapshot}', {
  summary: 'Delete a snapshot of a virtual machine',
  access: { who: 'user', on: server, may: 'vm.snapshots', stepUp: true },
  reply: JobAccepted,
  status: 202,
  recorded: 'deleted a snapshot of {target}',
  handle: ({ ctx, server, params }) => snapshots.deleteSnapshot(ctx, server, idOf(params.snapshot)),
})

export const restoreVmSnapshot = post('/api/servers/{id}/vm/snapshots/{snapshot}/restore', {
  summary: 'Restore disks, firmware variables and TPM of a stopped virtual machine',
  access: { who: 'user', on: server, may: 'vm.snapshots' },
  body: z.strictObject({ confirm: z.boolean().optional() }),
  reply: JobAccepted,
  status: 202,
  recorded: 'restored a snapshot of {target}',
  handle: ({ ctx, server, params, body }) =>
    snapshots.restoreSnapshot(ctx, server, idOf(params.snapshot), body.confirm),
})
