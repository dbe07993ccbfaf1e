import type { Caller } from './caller.ts'
import type { RealAgent } from './real-agent.ts'
import { type AgentsOf, type NodeOptions, startSharingAgents } from './shared-backups.ts'
import { type Lodge, startLodge } from './stack.ts'
import { jobEnd } from './vm-world.ts'

/** A Lodge whose nodes share their backups, and a customer who has servers on them. */
export class SharingNodes<Given extends readonly NodeOptions[]> implements AsyncDisposable {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  /** In the order in which their nodes were given. */
  readonly agents: AgentsOf<Given>
  readonly #templateId: string

  constructor(given: {
    lodge: Lodge
    admin: Caller
    owner: Caller
    agents: AgentsOf<Given>
    templateId: string
  }) {
    this.lodge = given.lodge
    this.admin = given.admin
    this.owner = given.owner
    this.agents = given.agents
    this.#templateId = given.templateId
  }

  /**
   * A server of the owner on the node of this agent, stopped unless `body` says otherwise.
   * @param filesOf what its files are, if not those of a new one
   */
  async makeServer(
    { nodeId, driver }: RealAgent,
    body: object = {},
    filesOf?: (id: string) => string,
  ): Promise<string> {
    const standard = { name: 'One', ownerId: this.owner.id, templateId: this.#templateId }
    const { serverId, jobId } = await this.admin.must('POST /api/servers', {
      body: { ...standard, nodeId, start: false, ...body },
    })
    await jobEnd(this.admin, jobId, 'done')
    if (filesOf) driver.runtime.folders.set(driver.dataFolder(serverId), filesOf(serverId))
    return serverId
  }

  show(serverId: string) {
    return this.admin.must('GET /api/servers/{id}', { params: { id: serverId } })
  }

  nodeOf({ nodeId }: RealAgent) {
    return this.admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })
  }

  async backupsOf(serverId: string) {
    const asked = { params: { id: serverId }, query: {} }
    return (await this.admin.must('GET /api/servers/{id}/backups', asked)).items
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.agents) await agent[Symbol.asyncDispose]()
    await this.lodge[Symbol.asyncDispose]()
  }
}

export async function startSharingNodes<const Given extends readonly NodeOptions[]>(
  ...nodes: Given
): Promise<SharingNodes<Given>> {
  await using begun = new AsyncDisposableStack()
  const lodge = begun.use(await startLodge())
  const agents = await startSharingAgents<Given>(lodge, ...nodes)
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  begun.move()
  return new SharingNodes<Given>({ lodge, admin, owner, agents, templateId })
}

export const filesOn = ({ driver }: RealAgent, serverId: string) =>
  driver.runtime.folders.get(driver.dataFolder(serverId))

export const isRunningOn = ({ driver }: RealAgent, serverId: string): boolean =>
  driver.runtime.servers.get(serverId)?.workload?.running ?? false
