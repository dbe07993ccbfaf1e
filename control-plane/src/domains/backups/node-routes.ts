import { NodeBackups } from '@lodge/shared/backups.ts'
import { get } from '../../http/endpoint.ts'
import { node } from '../nodes/index.ts'
import { backupsOfNode } from './of-node.ts'

export const showNodeBackups = get('/api/nodes/{id}/backups', {
  summary: 'What would be lost of backups with a node',
  access: { who: 'admin', may: 'nodes.view', on: node },
  reply: NodeBackups,
  handle: ({ ctx, node }) => backupsOfNode(ctx, node),
})
