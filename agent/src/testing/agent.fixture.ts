import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeDriver, type FakeOptions, fakeDriver } from '@lodge/driver-fake/fake.ts'
import type { DesiredServer } from '@lodge/proto/server.ts'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { LeaseTimes } from '@lodge/shared/leases/times.ts'
import { type Agent, startAgent } from '../agent.ts'
import type { AnyDriver } from '../drivers.ts'
import type { Guard } from '../guard/keeper.ts'
import { createLog } from '../log.ts'
import { FleetFixture } from './fleet.fixture.ts'

/** Two restarts, the first immediate. */
const policy = {
  mode: 'on-failure',
  maxRestarts: 2,
  windowMinutes: 10,
  backoffSeconds: [0, 1],
}

/** A complete agent with the fake engine, connected to the test's control plane. */
export class AgentFixture {
  readonly fleet: FleetFixture
  readonly folder: string
  /** The server that `running` creates. */
  readonly serverId = randomUUID()
  /** Addresses of its own network that the agent may download from; a test may add some. */
  readonly allowedHosts: string[] = []
  driver: FakeDriver
  agent: Agent | null = null

  private constructor(fleet: FleetFixture, folder: string, driver: FakeDriver) {
    this.fleet = fleet
    this.folder = folder
    this.driver = driver
  }

  static async open(options: FakeOptions = {}): Promise<AgentFixture> {
    const folder = await mkdtemp(join(tmpdir(), 'lodge-agent-'))
    const driver = fakeDriver({ dataRoot: join(folder, 'servers'), ...options })
    return new AgentFixture(await FleetFixture.open(), folder, driver)
  }

  /** @param options.drivers used instead of the fake driver */
  async start(
    options: {
      bootId?: string
      offlineStart?: boolean
      sharedStorages?: ReadonlyMap<string, string>
      drivers?: readonly AnyDriver[]
      aloneAfterMs?: number
      guard?: Guard
      leaseTimes?: LeaseTimes
    } = {},
  ): Promise<void> {
    this.agent = await startAgent({
      identity: this.fleet.identity,
      drivers: options.drivers ?? [this.driver],
      log: createLog(process.env.LODGE_TEST_LOG ?? 'silent'),
      bootId: options.bootId ?? 'first-boot',
      ...(options.guard && { guard: options.guard }),
      ...(options.leaseTimes && { leaseTimes: options.leaseTimes }),
      ...(options.aloneAfterMs !== undefined && { aloneAfterMs: options.aloneAfterMs }),
      config: {
        data: this.folder,
        fleetAddress: '',
        driver: 'fake',
        dockerSocket: '',
        labelScope: 'default',
        networkPrefix: 'lodge',
        subnetPool: '10.213.0.0/16',
        rbdPools: new Map(),
        sharedStorages: options.sharedStorages ?? new Map(),
        engineSupervised: false,
        registryConfig: '',
        machines: 'none',
        libvirtUri: '',
        libvirtTpmFolder: '/',
        libvirtHooksFolder: '/',
        libvirtNetworkNamespace: '',
        libvirtSupervised: false,
        egressHosts: this.allowedHosts,
        egressCa: '',
        permitFolder: '/',
        guardFolder: '/',
        metricsAddress: '127.0.0.1:0',
        metricsServers: true,
        offlineStart: options.offlineStart ?? false,
        portRange: '28000-28010',
        logLevel: 'silent',
      },
    })
  }

  /** Starts the agent with a server that is installed and running. */
  async running(
    change: Record<string, unknown> = {},
    options: Parameters<AgentFixture['start']>[0] = {},
  ): Promise<DesiredServer> {
    const desired = this.fleet.setDesired({
      serverId: this.serverId,
      run: 1,
      install: 1,
      power: 2,
      crashPolicy: policy,
      containerSpec: specText(change),
    })
    await this.start(options)
    const { failure } = await this.fleet.settled(desired)
    if (failure) throw new Error(`the server was not installed: ${failure.detail}`)
    await this.fleet.state(this.serverId, 'running')
    return desired
  }

  /** Stops the agent, to be replaced by a new one; workloads keep running. */
  async stop(): Promise<void> {
    await this.agent?.stop()
    this.agent = null
    this.driver = fakeDriver({
      ...this.driver.knobs,
      dataRoot: join(this.folder, 'servers'),
      runtime: this.driver.runtime,
    })
  }

  async close(): Promise<void> {
    await this.agent?.stop()
    await this.fleet.vanish()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** The document of a server that prints `ready` and stays up. */
export function specText(change: Record<string, unknown> = {}): string {
  return JSON.stringify(
    ContainerSpec.parse({
      image: { kind: 'registry', reference: 'example/server:1' },
      command: ['fake', '{"kind":"run"}'],
      environment: {},
      dataPath: '/data',
      ports: [],
      limits: { memoryMb: 64, cpuPercent: 100, diskMb: 64 },
      proofOfLife: { patterns: [{ kind: 'text', value: 'ready' }] },
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
      ...change,
    }),
  )
}
