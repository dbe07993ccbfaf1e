import { type RealAgent, startRealAgent } from './real-agent.ts'
import type { Lodge } from './stack.ts'
import { connected } from './vm-world.ts'

export type NodeOptions = NonNullable<Parameters<Lodge['joinedNode']>[0]>
/** An agent for each of the given nodes. */
export type AgentsOf<Given> = { readonly [At in keyof Given]: RealAgent }

/**
 * Backups that one of these agents wrote are visible to the others, as if one of them stored them.
 */
export function shareBackups(agents: readonly RealAgent[]): void {
  const [first, ...others] = agents
  const repositories = first?.driver.runtime.repositories
  for (const { driver } of others) Object.assign(driver.runtime, { repositories })
}

/** Connected agents of new nodes that share their backups, in the given order. */
export async function startSharingAgents<const Given extends readonly NodeOptions[]>(
  lodge: Lodge,
  ...nodes: Given
): Promise<AgentsOf<Given>> {
  const agents: RealAgent[] = []
  for (const given of nodes) {
    const node = await lodge.joinedNode(given)
    agents.push(await startRealAgent(lodge, node))
    await connected(lodge, node.id)
  }
  shareBackups(agents)
  return agents as AgentsOf<Given>
}
