import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Driver } from '@lodge/driver/driver.ts'
import type {
  ConnectResponse,
  DriverHealth,
  Hello,
  PreflightCheck,
  Welcome,
} from '@lodge/proto/fleet.ts'
import type { ConfigFile } from '@lodge/shared/container-spec.ts'
import type { Logger } from 'pino'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { ServerConsole } from './console/console.ts'
import type { Identity } from './enrollment/identity.ts'
import { Journal } from './journal/journal.ts'
import { Link } from './link/link.ts'
import { Writer } from './link/writer.ts'
import { bootId } from './machine.ts'
import { NodeSampler } from './metrics/node-sample.ts'
import type { MetricsPage } from './metrics/page.ts'
import { Sampler } from './metrics/sampler.ts'
import { hasRoom } from './preflight/disk.ts'
import { runPreflight } from './preflight/preflight.ts'
import { Gate } from './reconcile/gate.ts'
import { observedState } from './reconcile/observe.ts'
import { Servers } from './reconcile/servers.ts'
import { Relay } from './relay/relay.ts'
import { Tasks } from './tasks.ts'
import { AGENT_VERSION, CAPABILITIES, PROTOCOL_MINOR } from './version.ts'

export interface AgentOptions {
  readonly config: Config
  readonly identity: Identity
  readonly driver: Driver
  readonly log: Logger
  readonly clock?: Clock
  /** Names the present boot of the machine; read from the kernel when it is not given. */
  readonly bootId?: string
}

export interface Agent {
  readonly servers: Servers
  readonly relay: Relay
  readonly metricsPort: number | null
  isConnected(): boolean
  /** Ends the agent; the servers go on running. */
  stop(): Promise<void>
}

const PREFLIGHT_MS = 600_000
const PROBE_MS = 5_000

/** Starts everything the agent of one node does. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { config, identity, driver, log } = options
  const clock = options.clock ?? systemClock
  await mkdir(config.data, { recursive: true, mode: 0o711 })
  const journal = new Journal({
    file: join(config.data, 'journal.db'),
    nowMs: () => clock.nowMs(),
    setAside: (name) => log.error({ name }, 'the journal is damaged and was set aside'),
  })
  const boot = options.bootId ?? (await bootId())
  const rebooted = (journal.setting('boot_id') ?? boot) !== boot

  const consoles = {
    console: new Map<string, ServerConsole>(),
    install_log: new Map<string, ServerConsole>(),
  }
  const consoleOf = (serverId: string, kind: keyof typeof consoles): ServerConsole => {
    const known = consoles[kind].get(serverId)
    if (known) return known
    const made = new ServerConsole(driver, serverId, kind === 'console' ? 'run' : 'install', log)
    consoles[kind].set(serverId, made)
    return made
  }

  const writer = new Writer({
    observation: (serverId) => servers.observation(serverId),
    reportsAfter: (sequence, limit) => journal.reportsAfter(sequence, limit),
    clock,
  })
  let page: MetricsPage | null = null
  const servers: Servers = new Servers({
    driver,
    clock,
    journal,
    log,
    rebooted,
    offlineStart: config.offlineStart,
    gates: { start: new Gate(Math.max(2, availableParallelism())), install: new Gate(2) },
    configure,
    hasRoom: () => hasRoom(config.data),
    console: (serverId) => consoleOf(serverId, 'console'),
    installLog: (serverId) => consoleOf(serverId, 'install_log'),
    forgotten(serverId) {
      consoles.console.delete(serverId)
      consoles.install_log.delete(serverId)
    },
    changed(serverId) {
      writer.observed(serverId)
      relay.tell(serverId, { type: 'state', ...stateOf(serverId) })
    },
    progress: (progress) => writer.progress(progress),
    reported: () => writer.reported(),
    happened(event) {
      page?.count(event)
      if (event.exit) {
        const { code, signal, outOfMemory } = event.exit
        relay.tell(event.serverId, {
          type: 'exit',
          code,
          signal,
          outOfMemory,
          reason: event.reason,
        })
      }
    },
  })
  journal.saveSetting('boot_id', boot)

  const stateOf = (serverId: string) => {
    const keeper = servers.find(serverId)
    return { state: keeper ? observedState(keeper) : 'absent' }
  }
  const relay = new Relay({
    identity,
    log,
    nowMs: () => clock.nowMs(),
    console: (serverId, kind) => (servers.find(serverId) ? consoleOf(serverId, kind) : undefined),
    write: (serverId, bytes) => driver.console.write(serverId, bytes),
    state: stateOf,
  })

  let heardMs = 0
  const sampler = new Sampler({
    driver,
    journal,
    clock,
    log,
    dataFolder: config.data,
    isConnected: () => writer.isOpen,
    reported: () => writer.reported(),
    measured: (samples) => servers.measured(samples),
  })
  const preflight = preflightKeeper(config, driver)
  const tasks = new Tasks({
    driver,
    journal,
    log,
    answer: (value) => writer.post({ $case: 'taskResult', value }),
    async runPreflight() {
      await preflight.run()
      await beat()
    },
  })

  let beats = 0
  let cancelBeat = () => {}
  const beat = async () => {
    const sequence = ++beats
    const drivers = await healthOf(driver)
    writer.post({ $case: 'heartbeat', value: { sequence, drivers, preflight: preflight.news() } })
  }
  const beatEvery = (milliseconds: number) => {
    cancelBeat()
    cancelBeat = clock.after(milliseconds, () => {
      void beat()
      beatEvery(milliseconds)
    })
  }

  const link = new Link({
    identity,
    writer,
    clock,
    log,
    async hello(): Promise<Hello> {
      const [drivers, checks, node] = await Promise.all([
        healthOf(driver),
        preflight.latest(),
        new NodeSampler(config.data).sample(new Date(clock.nowMs())),
      ])
      return {
        protocolMinor: PROTOCOL_MINOR,
        agentVersion: AGENT_VERSION,
        bootId: boot,
        drivers,
        capabilities: [...CAPABILITIES],
        preflight: checks,
        newestReport: journal.newest,
        cpuCores: availableParallelism(),
        memoryBytes: node.memoryTotalBytes,
        diskBytes: node.diskTotalBytes,
        clockUnixMs: clock.nowMs(),
      }
    },
    welcome(welcome: Welcome) {
      heardMs = clock.nowMs()
      journal.continueAfter(welcome.reportThrough)
      journal.acknowledge(welcome.reportThrough)
      servers.newRound()
      sampler.every(durationMs(welcome.sampleEvery, 5_000))
      beatEvery(durationMs(welcome.heartbeatEvery, 5_000))
      void servers.recovered.then(() => writer.inventory(servers.inventory()))
    },
    message(message: Exclude<NonNullable<ConnectResponse['message']>, { $case: 'welcome' }>) {
      switch (message.$case) {
        case 'desiredServer':
          return servers.wish(message.value)
        case 'desiredEnd':
          return servers.endRound()
        case 'task':
          return void tasks.run(message.value).catch((error: unknown) => {
            log.error({ err: error, taskId: message.value.taskId }, 'a task could not be answered')
          })
        case 'taskCancel':
          return tasks.cancel(message.value.taskId)
        case 'reportAck':
          journal.acknowledge(message.value.through)
          return writer.acknowledged(message.value.through)
        case 'relayOpen':
          return void relay.open(message.value)
        case 'heartbeatAck':
          heardMs = clock.nowMs()
          return
      }
    },
    lost: () => cancelBeat(),
  })

  if (config.metricsAddress !== '') {
    const { openMetricsPage } = await import('./metrics/page.ts')
    page = await openMetricsPage({
      address: config.metricsAddress,
      servers: config.metricsServers,
      nodeId: identity.nodeId,
      driverKind: driver.kind,
      sampler,
      keepers: () => servers.keepers(),
      isConnected: () => writer.isOpen,
      heardMs: () => heardMs,
    })
  }
  servers.start()
  sampler.start()
  link.start()
  log.info({ nodeId: identity.nodeId, driver: driver.kind, rebooted }, 'the agent has started')

  return {
    servers,
    relay,
    metricsPort: page?.port ?? null,
    isConnected: () => writer.isOpen,
    async stop() {
      sampler.stop()
      cancelBeat()
      relay.close()
      await link.stop()
      await servers.stop()
      for (const kind of [consoles.console, consoles.install_log]) {
        for (const output of kind.values()) output.close()
      }
      await page?.close()
      journal.close()
      log.info('the agent has ended; servers keep running')
    },
  }
}

/** The parsers of configuration files are loaded when the first server needs them. */
async function configure(dataFolder: string, files: readonly ConfigFile[]): Promise<void> {
  const room = await import('./config-files/configure.ts')
  await room.configure(dataFolder, files)
}

async function healthOf(driver: Driver): Promise<DriverHealth[]> {
  const health = await driver.probe(AbortSignal.timeout(PROBE_MS))
  const version = health.ok ? health.version : ''
  return [{ kind: driver.kind, healthy: health.ok, version, why: health.ok ? '' : health.why }]
}

/** The report about the machine, made anew now and then; only a changed one is news. */
function preflightKeeper(config: Config, driver: Driver) {
  const [from = 0, to = 0] = config.portRange.split('-').map(Number)
  let checks: PreflightCheck[] = []
  let madeMs = Number.NEGATIVE_INFINITY
  let told = ''
  const run = async () => {
    madeMs = performance.now()
    const found = await runPreflight({
      driver,
      dataFolder: config.data,
      portFrom: from,
      portTo: to,
    })
    checks = found.map((check) => ({ ...check, remedy: check.remedy ?? '' }))
    return checks
  }
  return {
    run,
    async latest() {
      const latest = performance.now() - madeMs > PREFLIGHT_MS ? await run() : checks
      told = JSON.stringify(latest)
      return latest
    },
    /** The report when it differs from the one that was last told, else nothing. */
    news() {
      if (performance.now() - madeMs > PREFLIGHT_MS) void run()
      const text = JSON.stringify(checks)
      if (text === told) return []
      told = text
      return checks
    },
  }
}

const durationMs = (duration: { seconds: number; nanos: number } | undefined, otherwise: number) =>
  duration && duration.seconds + duration.nanos > 0
    ? duration.seconds * 1000 + duration.nanos / 1e6
    : otherwise
