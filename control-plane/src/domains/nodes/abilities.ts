import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import {
  type Ability,
  type Workload,
  whyNodeCannot,
  whyNoOpenings,
} from '@lodge/shared/node-abilities.ts'
import { Problem } from '../../problem.ts'
import type { NodeRow } from './tables.ts'

/**
 * Requires that the node's driver has these abilities.
 * @throws {Problem} unsupported_on_node
 */
export function requireAbility(
  node: Pick<NodeRow, 'name' | 'capabilities'>,
  workload: Workload,
  ...abilities: readonly Ability[]
): void {
  for (const ability of abilities) {
    const why = whyNodeCannot(node, workload, ability)
    if (why !== undefined)
      throw new Problem('unsupported_on_node', `${why}: use another node, or update its agent`, {
        fields: { missing: [`${workload}.${ability}`] },
      })
  }
}

/**
 * Requires that a driver of the node can open networks to its servers, if `wanted` opens any more.
 * @throws {Problem} unsupported_on_node
 */
export function requireOpenings(
  node: Pick<NodeRow, 'name' | 'capabilities' | 'openNetworks'>,
  wanted: readonly NetworkOpening[],
): void {
  const present = new Set(node.openNetworks.map((one) => JSON.stringify(one)))
  if (wanted.every((one) => present.has(JSON.stringify(one)))) return
  if (whyNoOpenings(node) !== undefined) requireAbility(node, 'container', 'networks')
}
