import { EvacuateNode, Evacuation } from '@lodge/shared/evacuations.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { get, post } from '../../../http/endpoint.ts'
import { node } from '../../nodes/index.ts'
import { describeEvacuation, evacuate } from './evacuate.ts'

export const readEvacuation = get('/api/nodes/{id}/evacuation', {
  summary: 'Where each server of a node would move, what blocks the others, and the last results',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  reply: Evacuation,
  handle: ({ ctx, node }) => describeEvacuation(ctx, node),
})

export const evacuateNode = post('/api/nodes/{id}/evacuate', {
  summary: 'Close a node for new servers and move its servers to others',
  access: { who: 'admin', may: 'nodes.manage', on: node },
  body: EvacuateNode,
  reply: JobAccepted,
  status: 202,
  recorded: 'began to move all servers away from the node {target}',
  handle: ({ ctx, node, body }) => evacuate(ctx, node, body),
})
