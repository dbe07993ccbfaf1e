import {
  ExtendLeases,
  FailoverPlan,
  FailoverStatus,
  LeaseExtensionState,
  NodeFailover,
  NodePower,
  PlanFailover,
  RunFailover,
  ServerFailover,
  ServerReturn,
  SetNodeFailover,
  SetServerFailover,
} from '@lodge/shared/failover.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { del, get, post, put } from '../../http/endpoint.ts'
import { node } from '../nodes/index.ts'
import { server } from '../servers/index.ts'
import { endExtension, extendAll, leaseExtension } from './extension.ts'
import { askPower } from './fencing/fence.ts'
import { chooseNodeMode, chooseServerMode, failoverOfServer, nodeFailover } from './mode.ts'
import { planFailover } from './plan.ts'
import { returnOf } from './return.ts'
import { runFailover } from './run.ts'
import { failoverStatus } from './status.ts'

export const showFailover = get('/api/failover/status', {
  summary: 'What the loss of each node would cost, and the failovers so far',
  access: { who: 'admin', may: 'nodes.view' },
  reply: FailoverStatus,
  handle: ({ ctx }) => failoverStatus(ctx),
})

export const plan = post('/api/failover/plan', {
  summary: 'What would become of each server of a node; nothing is changed',
  access: { who: 'admin', may: 'nodes.view' },
  body: PlanFailover,
  reply: FailoverPlan,
  recorded: { words: 'planned a failover', looks: true },
  handle: ({ ctx, body }) => planFailover(ctx, body.nodeId),
})

export const run = post('/api/failover/run', {
  summary: 'Declare a node dead, and bring its servers back elsewhere from their backups',
  access: { who: 'admin', may: 'nodes.manage', stepUp: true },
  body: RunFailover,
  reply: JobAccepted,
  status: 202,
  // The node is disconnected only after the commit.
  waits: true,
  recorded: 'declared a node dead',
  handle: ({ ctx, body }) => runFailover(ctx, body),
})

export const extendLeases = put('/api/failover/lease-extension', {
  summary:
    'Make leases longer ahead of work on the control plane, so that no node stops its servers',
  access: { who: 'admin', may: 'nodes.manage' },
  body: ExtendLeases,
  reply: LeaseExtensionState,
  recorded: 'made leases longer for a while',
  handle: async ({ ctx, body }) => {
    await extendAll(ctx, body)
    return { extension: await leaseExtension(ctx) }
  },
})

export const endLeaseExtension = del('/api/failover/lease-extension', {
  summary: 'Let leases be as long as each node has them again',
  access: { who: 'admin', may: 'nodes.manage' },
  reply: LeaseExtensionState,
  recorded: 'ended the longer leases',
  handle: async ({ ctx }) => {
    await endExtension(ctx)
    return { extension: null }
  },
})

export const showNodeFailover = get('/api/nodes/{id}/failover', {
  summary: 'What happens to the servers of a node when it is cut off or lost',
  access: { who: 'admin', may: 'nodes.view', on: node },
  reply: NodeFailover,
  handle: ({ ctx, node }) => nodeFailover(ctx, node),
})

export const setNodeFailover = put('/api/nodes/{id}/failover', {
  summary: 'Choose whether the servers of a node fail over by themselves',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  body: SetNodeFailover,
  reply: NodeFailover,
  recorded: 'chose the failover mode of the node {target}',
  handle: async ({ ctx, node, body }) => nodeFailover(ctx, await chooseNodeMode(ctx, node, body)),
})

export const askNodePower = post('/api/nodes/{id}/failover/power', {
  summary: 'Ask the fence command whether a node is on; nothing is switched',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: NodePower,
  // Runs the operator's program.
  waits: true,
  recorded: { words: 'asked the fence command about the node {target}', looks: true },
  handle: ({ ctx, node }) => askPower(ctx, node),
})

export const showServerReturn = get('/api/servers/{id}/return', {
  summary: 'Whether it was brought back on another machine in the last days, and its files of then',
  access: { who: 'user', on: server, whileSuspended: 'data-export' },
  reply: ServerReturn,
  handle: async ({ ctx, server }) => ({ returned: await returnOf(ctx, server.id) }),
})

export const showServerFailover = get('/api/servers/{id}/failover', {
  summary: 'What happens to a server when its node is cut off or lost',
  access: { who: 'admin', may: 'nodes.view', on: server },
  reply: ServerFailover,
  handle: ({ ctx, server }) => failoverOfServer(ctx, server.id),
})

export const setServerFailover = put('/api/servers/{id}/failover', {
  summary: 'Choose whether a server fails over by itself, or as its node does',
  access: { who: 'admin', may: 'nodes.manage', on: server },
  body: SetServerFailover,
  reply: ServerFailover,
  recorded: 'chose the failover mode of {target}',
  handle: async ({ ctx, server, body }) => {
    await chooseServerMode(ctx, server.id, body.mode)
    return failoverOfServer(ctx, server.id)
  },
})
