import { JobAccepted } from '@lodge/shared/jobs.ts'
import {
  ChangeVmDisks,
  ChangeVmInstallation,
  ChangeVmNetwork,
  ChangeVmResources,
  VM_CONSOLES,
  Vm,
  VmConsoleTicket,
} from '@lodge/shared/vms.ts'
import { z } from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { server, serverBudgets } from '../../servers/index.ts'
import { createVmTicket } from '../console.ts'
import { describeVm } from '../describe.ts'
import { changeInstallation } from '../installation.ts'
import { setNatRules } from '../network.ts'
import { changeDisks, changeResources } from '../resources.ts'

export const showVm = get('/api/servers/{id}/vm', {
  summary: 'Hardware, disks, network and snapshots of a virtual machine',
  access: { who: 'user', on: server, may: 'vm.view' },
  reply: Vm,
  handle: ({ ctx, server }) => describeVm(ctx, server),
})

export const createVmConsoleTicket = post('/api/servers/{id}/vm/console-ticket', {
  summary: 'Single-use ticket for the screen or the serial line of a virtual machine',
  access: { who: 'user', on: server, may: 'vm.console', throttle: serverBudgets.consoleTicket },
  body: z.strictObject({ kind: z.enum(VM_CONSOLES) }),
  reply: VmConsoleTicket,
  status: 201,
  shownOnce: true,
  recorded: { words: 'opened the screen of {target}', looks: true },
  handle: ({ ctx, server, body }) => createVmTicket(ctx, server, body.kind),
})

export const changeVmDisks = post('/api/servers/{id}/vm/disks', {
  summary: 'Add disks to a stopped virtual machine, or let them grow',
  access: { who: 'user', on: server, may: 'vm.disks' },
  body: ChangeVmDisks,
  reply: JobAccepted,
  status: 202,
  recorded: 'changed the disks of {target}',
  handle: ({ ctx, server, body }) => changeDisks(ctx, server, body),
})

export const changeVmResources = post('/api/servers/{id}/vm/resources', {
  summary: 'Change vCPUs and memory of a stopped virtual machine',
  access: { who: 'user', on: server, may: 'vm.resources' },
  body: ChangeVmResources,
  reply: JobAccepted,
  status: 202,
  recorded: 'changed the processors or memory of {target}',
  handle: ({ ctx, server, body }) => changeResources(ctx, server, body),
})

export const changeVmInstallation = post('/api/servers/{id}/vm/installation', {
  summary: 'Attach approved media to a stopped virtual machine, or install it anew',
  access: { who: 'user', on: server, may: 'vm.media' },
  body: ChangeVmInstallation,
  reply: JobAccepted,
  status: 202,
  recorded: 'changed the medium of {target}',
  handle: ({ ctx, server, body }) => changeInstallation(ctx, server, body),
})

export const changeVmNetwork = post('/api/servers/{id}/vm/network', {
  summary: 'Set where the host ports of a virtual machine lead to',
  access: { who: 'user', on: server, may: 'vm.network' },
  body: ChangeVmNetwork,
  reply: Vm,
  recorded: 'changed the ports of {target}',
  handle: ({ ctx, server, body }) => setNatRules(ctx, server, body.rules),
})
