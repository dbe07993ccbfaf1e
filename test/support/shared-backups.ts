import { type RealAgent, startRealAgent } from './real-agent.ts'
import type { Lodge } from './stack.ts'
import { connected } from './vm-world.ts'

type NodeOptions = NonNullable<Parameters<Lodge['joinedNode']>[0]>

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
): Promise<{ [At in keyof Given]: RealAgent }> {
  const agents: RealAgent[] = []
  for (const given of nodes) {
    const node = await lodge.joinedNode(given)
    agents.push(await startRealAgent(lodge, node))
    await connected(lodge, node.id)
  }
  shareBackups(agents)
  return agents as { [At in keyof Given]: RealAgent }
}
