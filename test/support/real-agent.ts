import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Capability } from '@lodge/driver/capabilities.ts'
import { sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { type FakeDriver, type FakeOptions, fakeDriver } from '@lodge/driver-fake/fake.ts'
import { without } from '@lodge/driver-fake/lacking.ts'
import { type Agent, type AgentOptions, startAgent } from '../../agent/src/agent.ts'
import { readCommandLine } from '../../agent/src/config.ts'
import type { Identity } from '../../agent/src/enrollment/identity.ts'
import { createLog } from '../../agent/src/log.ts'
import { LogTail } from '../../agent/src/log-tail.ts'
import { quickFolder } from './quick-folder.ts'
import type { JoinedNode, Lodge } from './stack.ts'

/** The real agent, in this process, with servers that are entries of a map. */
export class RealAgent implements AsyncDisposable {
  readonly driver: FakeDriver
  readonly nodeId: string
  /** Capabilities that the driver lacks from the next connection on. */
  lacking: readonly Capability[] = []
  readonly #folder: string
  readonly #start: () => Promise<Agent>
  #agent: Agent | undefined

  constructor(given: {
    driver: FakeDriver
    nodeId: string
    folder: string
    start: () => Promise<Agent>
  }) {
    this.driver = given.driver
    this.nodeId = given.nodeId
    this.#folder = given.folder
    this.#start = given.start
  }

  async connect(): Promise<void> {
    this.#agent ??= await this.#start()
  }

  /** Whether it has received a schedule to run on its own. */
  knowsSchedule(serverId: string, scheduleId: string): boolean {
    return this.#agent?.schedules.of(serverId).some(({ id }) => id === scheduleId) ?? false
  }

  /** Stops the agent; servers keep running, and `connect` finds them again. */
  async close(): Promise<void> {
    const agent = this.#agent
    this.#agent = undefined
    await agent?.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The identity of a node's agent once it has joined. */
export function identityOf({ controlPlane }: Lodge, { id, credential }: JoinedNode): Identity {
  const { port, caCertificate } = controlPlane.services.fleet
  return {
    nodeId: id,
    credential,
    caCertificate,
    fleetAddress: `127.0.0.1:${port}`,
    serverName: 'lodge',
  }
}

/**
 * @param knobs faults and behaviour of the servers; a test template is ready when it prints `ready`
 * @param alone how it acts without the control plane, and where it connects to reach it
 */
export async function startRealAgent(
  lodge: Lodge,
  node: JoinedNode,
  knobs: FakeOptions = {},
  environment: NodeJS.ProcessEnv = {},
  alone: Pick<AgentOptions, 'aloneAfterMs' | 'clock' | 'guard' | 'leaseTimes'> & {
    fleetAddress?: string
  } = {},
): Promise<RealAgent> {
  const folder = await mkdtemp(path.join(quickFolder(), 'lodge-agent-'))
  const { config } = readCommandLine(['--data', folder, '--driver', 'fake'], environment)
  const driver = fakeDriver({
    storages: sharedStorages(config.sharedStorages),
    dataRoot: path.join(folder, 'servers'),
    output: ['ready'],
    ...knobs,
  })
  const { fleetAddress, ...options } = alone
  const identity = { ...identityOf(lodge, node), ...(fleetAddress && { fleetAddress }) }
  const logTail = new LogTail()
  const { LODGE_LOG_LEVEL: level } = process.env
  const log = level ? createLog(level, logTail) : createLog('info', logTail, { write() {} })
  const agent: RealAgent = new RealAgent({
    driver,
    nodeId: node.id,
    folder,
    start: () =>
      startAgent({
        // As if it had become the new one.
        replacement: { program: undefined, update: async () => undefined },
        ...options,
        config,
        identity,
        drivers: [without(driver, agent.lacking)],
        backupStore: driver.backupStore,
        log,
        logTail,
      }),
  })
  await agent.connect()
  return agent
}
