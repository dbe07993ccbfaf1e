import { hasPermission } from '../../actor.ts'
import type { Resource } from '../../http/access.ts'
import { findNode } from './store.ts'
import type { NodeRow } from './tables.ts'

export const node: Resource<'node', NodeRow, never> = {
  name: 'node',
  loads: (ctx, id) => findNode(ctx.db, id),
  permits: (actor) => hasPermission(actor, 'nodes.view'),
}
