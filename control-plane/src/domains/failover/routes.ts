import { FailoverPlan, FailoverStatus, PlanFailover, RunFailover } from '@lodge/shared/failover.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { get, post } from '../../http/endpoint.ts'
import { planFailover } from './plan.ts'
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
  // The node is disconnected after all has been committed.
  waits: true,
  recorded: 'declared a node dead',
  handle: ({ ctx, body }) => runFailover(ctx, body),
})
