import type { AgentManifest } from '@lodge/shared/agent-update.ts'
import { ARCHITECTURES, agentProgram } from '../../../http/install/agent-program.ts'
import type { Services } from '../../../services.ts'
import type { NodeRow } from '../tables.ts'

/** The agents that this installation hands out. */
export async function newestAgents({
  agentFolder,
}: Pick<Services, 'agentFolder'>): Promise<AgentManifest[]> {
  const found = await Promise.all(ARCHITECTURES.map((one) => agentProgram(agentFolder, one)))
  return found.filter((one) => one !== undefined)
}

/** The architecture that a node's agent was built for. */
export const architectureOf = ({ agentBuild }: Pick<NodeRow, 'agentBuild'>): string =>
  agentBuild?.split('/')[0] ?? ''
