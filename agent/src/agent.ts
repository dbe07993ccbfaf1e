import { availableParallelism, uptime } from 'node:os'
import { join } from 'node:path'
import { DriverError, type WorkloadKind } from '@lodge/driver/driver.ts'
import type { ConnectResponse, Hello, Welcome } from '@lodge/proto/fleet.ts'
import type { Logger } from 'pino'
import { abilitiesOf } from './abilities.ts'
import { askToBoot } from './boot/ask.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { configure } from './config-files/when-needed.ts'
import { ServerConsole } from './console/console.ts'
import { consoleOf as driverConsole } from './console/driver-console.ts'
import { echoOf, showsCommands } from './console/shows-commands.ts'
import { openDataFolder } from './data-folder.ts'
import { type AnyDriver, driversByKind, healthOf } from './drivers.ts'
import type { Identity } from './enrollment/identity.ts'
import { hardwareMonitor } from './hardware/monitor.ts'
import { Journal } from './journal/journal.ts'
import { releasedPlacement } from './journal/released.ts'
import { durationMs } from './link/duration.ts'
import { Link } from './link/link.ts'
import { Writer } from './link/writer.ts'
import type { LogTail } from './log-tail.ts'
import { bootId } from './machine.ts'
import { copyServer } from './machines/copy-server.ts'
import { moves } from './machines/moves.ts'
import { virtualizationMonitor } from './machines/virtualization.ts'
import { NodeSampler } from './metrics/node-sample.ts'
import type { MetricsPage } from './metrics/page.ts'
import { Sampler } from './metrics/sampler.ts'
import { openNetworks } from './networks.ts'
import { PlayerWatch } from './players/player-watch.ts'
import { hasRoom } from './preflight/disk.ts'
import { preflightMonitor } from './preflight/monitor.ts'
import { observedState } from './reconcile/observe.ts'
import { Semaphore } from './reconcile/semaphore.ts'
import { Servers } from './reconcile/servers.ts'
import { Relay } from './relay/relay.ts'
import { Tasks } from './tasks.ts'
import { AGENT_VERSION, PROTOCOL_MINOR } from './version.ts'

export interface AgentOptions {
  readonly config: Config
  readonly identity: Identity
  /** One for containers and one for machines, or one that runs both. A kind may have none. */
  readonly drivers: readonly AnyDriver[]
  readonly log: Logger
  /** The newest entries of `log`, for the panel. */
  readonly logTail?: LogTail
  readonly clock?: Clock
  /** Identifies the current boot of the machine; read from the kernel by default. */
  readonly bootId?: string
  /**
   * Called each time the control plane accepts this node; servers can be placed on it from then on.
   */
  readonly welcomed?: () => void
}

export interface Agent {
  readonly servers: Servers
  readonly relay: Relay
  readonly metricsPort: number | null
  isConnected(): boolean
  /** Stops the agent; servers keep running. */
  stop(): Promise<void>
}

/** Starts everything that the agent of one node does. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { config, identity, drivers, log } = options
  const byKind = driversByKind(drivers)
  const clock = options.clock ?? systemClock
  await openDataFolder(config.data)
  const journal = new Journal({
    file: join(config.data, 'journal.db'),
    nowMs: () => clock.nowMs(),
    setAside: (name) => log.error({ name }, 'the journal is damaged and was set aside'),
  })
  const boot = options.bootId ?? (await bootId())
  // A reboot stops servers without a crash, and they wait for confirmation before they start.
  const rebooted = (journal.setting('boot_id') ?? boot) !== boot

  const consoles = {
    console: new Map<string, ServerConsole>(),
    install_log: new Map<string, ServerConsole>(),
  }
  const consoleOf = (serverId: string, kind: keyof typeof consoles): ServerConsole => {
    const known = consoles[kind].get(serverId)
    if (known) return known
    const source = kind === 'console' ? 'run' : 'install'
    const made = new ServerConsole(driverOf(serverId), serverId, source, log)
    consoles[kind].set(serverId, made)
    return made
  }

  const driverOf = (serverId: string, kind: WorkloadKind = 'container') =>
    servers.find(serverId)?.around.driver ?? byKind[kind]

  const inputOf = (serverId: string) => driverConsole(driverOf(serverId))

  const writer = new Writer({
    observation: (serverId) => servers.observation(serverId),
    reportsAfter: (sequence, limit) => journal.reportsAfter(sequence, limit),
    clock,
  })
  let page: MetricsPage | null = null
  let nodeEpoch = Number(journal.setting('node_epoch') ?? 0)
  // Starting more at once would slow each of them down without raising throughput.
  const hands = Math.max(2, availableParallelism())
  const servers: Servers = new Servers({
    drivers: byKind,
    clock,
    journal,
    log,
    rebooted,
    offlineStart: config.offlineStart,
    semaphores: {
      make: new Semaphore(hands),
      start: new Semaphore(hands),
      install: new Semaphore(2),
    },
    configure,
    hasRoom: () => hasRoom(config.data),
    async askToBoot(serverId, placementGeneration) {
      // Denied here as well, so that a machine given to another node never runs twice.
      if (placementGeneration <= releasedPlacement(journal, serverId)) {
        return { kind: 'deny', why: 'it was given to another node' }
      }
      const uptimeMs = () => uptime() * 1000
      return await askToBoot({ identity, serverId, placementGeneration, nodeEpoch, uptimeMs })
    },
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
  // Only now that `Servers` knows of the reboot: a crash before this must not hide it.
  journal.saveSetting('boot_id', boot)
  const networks = openNetworks({ drivers, journal, log, clock })

  const command = (serverId: string, line: string, person: string) => {
    const reconciler = servers.find(serverId)
    if (reconciler && showsCommands(reconciler)) {
      consoleOf(serverId, 'console').heard(Buffer.from(echoOf(line, person)))
    }
    return inputOf(serverId).write(serverId, Buffer.from(`${line}\n`))
  }
  const stateOf = (serverId: string) => {
    const reconciler = servers.find(serverId)
    return { state: reconciler ? observedState(reconciler) : 'absent' }
  }
  const relay = new Relay({
    identity,
    log,
    nowMs: () => clock.nowMs(),
    console: (serverId, kind) => (servers.find(serverId) ? consoleOf(serverId, kind) : undefined),
    write: (serverId, bytes) => inputOf(serverId).write(serverId, bytes),
    command,
    async screen(serverId, signal) {
      const { screen } = driverOf(serverId)
      if (!screen) throw new DriverError('unsupported', 'The server has no screen.')
      return await screen.open(serverId, signal)
    },
    copy(serverId, socket) {
      if (copies) copies.serve(serverId, socket)
      else socket.destroy()
    },
    state: stateOf,
  })

  const { media, transfer, virtualization: host } = byKind.machine
  const copies = transfer && copyServer(transfer, log)
  const virtualization = virtualizationMonitor(host)

  let heardMs = 0
  const players = new PlayerWatch({
    clock,
    serverOf: (serverId) => servers.playersOf(serverId),
    dataFolder: (serverId) => byKind.container.dataFolder(serverId),
  })
  const sampler = new Sampler({
    drivers,
    journal,
    clock,
    log,
    dataFolder: config.data,
    isConnected: () => writer.isOpen,
    reported: () => writer.reported(),
    players: (running) => players.of(running),
    measured: (samples) => servers.measured(samples),
  })
  const preflight = preflightMonitor(config, drivers, virtualization.found)
  const hardware = hardwareMonitor(config.data, log)
  const tasks = new Tasks({
    driverOf,
    command,
    journal,
    log,
    answer: (value) => writer.post({ $case: 'taskResult', value }),
    progress: (progress) => writer.taskProgress(progress),
    machines: {
      driverOf: (serverId) => driverOf(serverId, 'machine'),
      media,
      moves: transfer && moves({ identity, driver: byKind.machine, transfer, journal, servers }),
      checkVirtualization: host && (() => virtualization.run()),
    },
    ownLog: (lines) => options.logTail?.newest(lines) ?? [],
    freeImages: byKind.container.images?.freeNow,
    async runPreflight() {
      await Promise.all([preflight.run(), virtualization.run()])
      await beat()
    },
  })

  let beats = 0
  let cancelBeat = () => {}
  let answering = ''
  /**
   * Reports driver health. When an engine comes or goes, the capability checks are outdated, so it
   * repeats them.
   */
  const health = async () => {
    const found = await healthOf(drivers)
    const now = JSON.stringify(found.map(({ kind, healthy }) => [kind, healthy]))
    if (answering !== '' && answering !== now) recheck()
    answering = now
    return found
  }
  const recheck = () => {
    void Promise.all([preflight.run(), virtualization.run()]).catch((error: unknown) => {
      log.warn({ err: error }, 'the capability checks of this node failed')
    })
  }
  const beat = async () => {
    const answers = await health()
    // News is told once per session, and Hello tells all of it: do not spend it on a closed stream.
    if (!writer.isOpen) return
    const value = {
      sequence: ++beats,
      drivers: answers,
      preflight: preflight.news(),
      virtualization: virtualization.news(),
      hardware: hardware.news(),
    }
    writer.post({ $case: 'heartbeat', value })
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
      const [answers, checks, node, parts] = await Promise.all([
        health(),
        preflight.latest(),
        new NodeSampler(config.data).sample(new Date(clock.nowMs())),
        hardware.latest(),
      ])
      return {
        protocolMinor: PROTOCOL_MINOR,
        agentVersion: AGENT_VERSION,
        bootId: boot,
        drivers: answers,
        capabilities: abilitiesOf(byKind),
        preflight: checks,
        newestReport: journal.newest,
        cpuCores: availableParallelism(),
        memoryBytes: node.memoryTotalBytes,
        diskBytes: node.diskTotalBytes,
        clockUnixMs: clock.nowMs(),
        virtualization: virtualization.latest(),
        hardware: parts,
      }
    },
    welcome(welcome: Welcome) {
      heardMs = clock.nowMs()
      nodeEpoch = welcome.nodeEpoch
      journal.saveSetting('node_epoch', String(nodeEpoch))
      // Before any report is sent: after a lost journal, numbering must continue here.
      journal.continueAfter(welcome.reportThrough)
      journal.acknowledge(welcome.reportThrough)
      // The control plane now sends every desired state; `desiredEnd` disowns the servers it left
      // out.
      servers.newRound()
      preflight.tryPorts(welcome.portRanges)
      sampler.every(durationMs(welcome.sampleEvery, 5_000))
      beatEvery(durationMs(welcome.heartbeatEvery, 5_000))
      // An unavailable runtime delays only the full inventory: servers of the others are reported
      // at once.
      for (const runtime of servers.runtimes) {
        void runtime.recovered.then(() => {
          for (const { serverId } of servers.of(runtime)) writer.observed(serverId)
        })
      }
      void servers.recovered.then(() => writer.inventory(servers.inventory()))
      options.welcomed?.()
    },
    message(message: Exclude<NonNullable<ConnectResponse['message']>, { $case: 'welcome' }>) {
      switch (message.$case) {
        case 'desiredServer':
          return servers.setDesired(message.value)
        case 'desiredNode':
          return networks.setDesired(message.value)
        case 'desiredEnd':
          return servers.endRound()
        case 'task':
          return void tasks.run(message.value).catch((error: unknown) => {
            log.error(
              { err: error, taskId: message.value.taskId },
              'the result of a task could not be recorded',
            )
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
      sampler,
      reconcilers: () => servers.reconcilers(),
      isConnected: () => writer.isOpen,
      heardMs: () => heardMs,
    })
  }
  servers.start()
  sampler.start()
  link.start()
  const kinds = drivers.map(({ kind }) => kind)
  log.info({ nodeId: identity.nodeId, drivers: kinds, rebooted }, 'the agent has started')

  return {
    servers,
    relay,
    metricsPort: page?.port ?? null,
    isConnected: () => writer.isOpen,
    async stop() {
      sampler.stop()
      networks.stop()
      cancelBeat()
      relay.close()
      copies?.close()
      // The stream first, so that no desired state arrives while servers are released.
      await link.stop()
      await servers.stop()
      for (const kind of [consoles.console, consoles.install_log]) {
        for (const output of kind.values()) output.close()
      }
      await page?.close()
      journal.close()
      log.info('the agent has stopped; servers keep running')
    },
  }
}
