import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { connected } from '../../support/vm-world.ts'

/** What several nodes have mounted: a folder with the mark, and what the fake engines keep there. */
interface OnStorage extends Partial<Pick<RealAgent['driver']['runtime'], 'folders' | 'disks'>> {
  readonly name: string
  readonly storage: string
  /** Another storage, named `slow`. */
  readonly slow?: string
}

/** A node that has mounted the storage `fast` and runs virtual machines, too. */
export async function nodeOn(
  lodge: Lodge,
  { name, storage, slow, ...contents }: OnStorage,
): Promise<RealAgent> {
  const node = await lodge.joinedNode({ name })
  const storages = slow === undefined ? `fast=${storage}` : `fast=${storage},slow=${slow}`
  const environment = { LODGE_AGENT_SHARED_STORAGES: storages }
  const agent = await startRealAgent(lodge, node, {}, environment)
  Object.assign(agent.driver.runtime, contents)
  await connected(lodge, node.id)
  const admin = await lodge.admin()
  await admin.must('PATCH /api/nodes/{id}/virtualization', {
    params: { id: node.id },
    body: { enabled: true, emulationAllowed: true },
  })
  return agent
}
