import { type Ability, type Workload, whatNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import { findNode, requireAbility } from '../nodes/index.ts'
import type { ServerRow } from './tables.ts'

type Placed = Pick<ServerRow, 'nodeId' | 'kind'>
const workloadOf = ({ kind }: Placed): Workload => (kind === 'vm' ? 'machine' : 'container')

/**
 * Requires that the server's node supports this for servers of its kind.
 * @throws {Problem} unsupported_on_node
 */
export async function requireOnNode(
  { db }: Pick<Ctx, 'db'>,
  server: Placed,
  ...abilities: readonly Ability[]
): Promise<void> {
  const node = await findNode(db, server.nodeId)
  if (node) requireAbility(node, workloadOf(server), ...abilities)
}

/** The abilities that the server's node lacks for it, each with the reason. */
export async function lackingOnNode(
  { db }: Pick<Ctx, 'db'>,
  server: Placed,
): Promise<{ [A in Ability]?: string }> {
  const node = await findNode(db, server.nodeId)
  return node ? whatNodeCannot(node, workloadOf(server)) : {}
}
