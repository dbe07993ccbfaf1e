import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { DriverError, type WorkloadKind } from '@lodge/driver/driver.ts'
import type { ConnectResponse, Welcome } from '@lodge/proto/fleet.ts'
import type { AgentOptions } from './agent-options.ts'
import { archiveServer } from './backups/archive-server.ts'
import { Backups } from './backups/backups.ts'
import { noBackupStore } from './backups/no-store.ts'
import { Quiet } from './backups/quiet.ts'
import { storageLinks } from './backups/storage/links.ts'
import { storageServer } from './backups/storage/storage-server.ts'
import { permitsFor } from './boot/permits.ts'
import { systemClock } from './clock.ts'
import { configure } from './config-files/when-needed.ts'
import { Consoles } from './console/consoles.ts'
import { consoleOf as driverConsole } from './console/driver-console.ts'
import { echoOf, showsCommands } from './console/shows-commands.ts'
import { openDataFolder } from './data-folder.ts'
import { nodeTransfers } from './direct/node-transfers.ts'
import { driversByKind } from './drivers.ts'
import { durationMs } from './duration.ts'
import { egressOf } from './egress-policy.ts'
import { runFileTask } from './files/file-task.ts'
import { nodeFiles } from './files/node-files.ts'
import { openJournal } from './journal/open-journal.ts'
import { Leases } from './lease/leases.ts'
import { Heartbeat } from './link/heartbeat.ts'
import { helloOf } from './link/hello.ts'
import { Link } from './link/link.ts'
import { Writer } from './link/writer.ts'
import { bootId } from './machine.ts'
import { copyServer } from './machines/copy-server.ts'
import { moves } from './machines/moves.ts'
import type { MetricsPage } from './metrics/page.ts'
import { Sampler } from './metrics/sampler.ts'
import { Monitors } from './monitors.ts'
import { openNetworks } from './networks.ts'
import { placesOf } from './places.ts'
import { PlayerWatch } from './players/player-watch.ts'
import { hasRoom } from './preflight/disk.ts'
import { Servers } from './reconcile/servers.ts'
import { observedState } from './reconcile/state/observe.ts'
import { Semaphore } from './reconcile/state/semaphore.ts'
import { Relay } from './relay/relay.ts'
import { NodeSchedules } from './schedules/node-schedules.ts'
import { measuredFacts } from './schedules/server-facts.ts'
import { nodeSftp } from './sftp/node-sftp.ts'
import { storageHolds } from './storage/holds.ts'
import { Tasks } from './tasks.ts'
import { updateNothing } from './update/updater.ts'

export type { AgentOptions } from './agent-options.ts'

export interface Agent {
  readonly servers: Servers
  readonly relay: Relay
  readonly schedules: NodeSchedules
  readonly metricsPort: number | null
  isConnected(): boolean
  /** Stops the agent; servers keep running. */
  stop(): Promise<void>
}

/** Starts everything that the agent of one node does. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { config, identity, drivers, log } = options
  const byKind = driversByKind(drivers)
  const { container: driver, machine: machines } = byKind
  const clock = options.clock ?? systemClock
  await openDataFolder(config.data)
  const journal = openJournal(config.data, clock, log)
  const boot = options.bootId ?? (await bootId())
  // A reboot stops servers without a crash, and they wait for confirmation before they start.
  const rebooted = (journal.setting('boot_id') ?? boot) !== boot

  const driverOf = (serverId: string, kind: WorkloadKind = 'container') =>
    servers.find(serverId)?.around.driver ?? byKind[kind]

  const consoles = new Consoles(driverOf, log)
  const inputOf = (serverId: string) => driverConsole(driverOf(serverId))

  const writer = new Writer({
    observation: (serverId) => servers.observation(serverId),
    reportsAfter: (sequence, limit) => journal.reportsAfter(sequence, limit),
    clock,
  })
  let page: MetricsPage | null = null
  await options.guard?.known
  const leases = new Leases({
    ...{ guard: options.guard, times: options.leaseTimes, clock, log },
    epoch: Number(journal.setting('node_epoch') ?? 0),
    ...{ changed: () => servers.leaseChanged(), booting: () => servers.booting() },
    prove: (value) => writer.post({ $case: 'fenceProof', value }),
  })
  // Starting more at once would slow each of them down without raising throughput.
  const hands = Math.max(2, availableParallelism())
  const storages = storageHolds(identity.nodeId, config)
  const servers: Servers = new Servers({
    drivers: byKind,
    ...{ clock, journal, log, leases, storages, rebooted },
    offlineStart: config.offlineStart,
    semaphores: {
      make: new Semaphore(hands),
      start: new Semaphore(hands),
      install: new Semaphore(2),
    },
    configure,
    hasRoom: () => hasRoom(config.data),
    askToBoot: permitsFor({ identity, journal, leases }),
    console: (serverId) => consoles.of(serverId, 'console'),
    installLog: (serverId) => consoles.of(serverId, 'install_log'),
    forgotten: (serverId) => consoles.forget(serverId),
    changed(serverId) {
      writer.observed(serverId)
      relay.tell(serverId, { type: 'state', ...stateOf(serverId) })
      schedules.changed(serverId)
    },
    progress: (progress) => writer.progress(progress),
    reported: () => writer.reported(),
    happened(event) {
      page?.count(event)
      if (event.exit) {
        const { code, signal, outOfMemory } = event.exit
        const { reason, serverId } = event
        relay.tell(serverId, { type: 'exit', code, signal, outOfMemory, reason })
      }
    },
  })
  // Only now that `Servers` knows of the reboot: a crash before this must not hide it. An agent that
  // does not find it waits for confirmation again.
  journal.attempt(() => journal.saveSetting('boot_id', boot))
  const networks = openNetworks({ drivers, journal, log, clock })

  const command = (serverId: string, line: string, person: string) => {
    const reconciler = servers.find(serverId)
    if (reconciler && showsCommands(reconciler)) {
      consoles.of(serverId, 'console').heard(Buffer.from(echoOf(line, person)))
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
    console: (serverId, kind) => (servers.find(serverId) ? consoles.of(serverId, kind) : undefined),
    write: (serverId, bytes) => inputOf(serverId).write(serverId, bytes),
    command,
    async screen(serverId, signal) {
      const { screen } = driverOf(serverId)
      if (!screen) throw new DriverError('unsupported', 'The server has no screen.')
      return await screen.open(serverId, signal)
    },
    expect: (guest, accept) => transfers.expect(guest, accept),
    copy(serverId, socket) {
      if (copies) copies.serve(serverId, socket)
      else socket.destroy()
    },
    files: (serverId, socket) => void helpers.serve(serverId, socket),
    backup: (socket) => archives.serve(socket),
    storage: (repositoryId, access, socket) => storage.serve(repositoryId, access, socket),
    state: stateOf,
  })
  const filesOf = (serverId: string) => driverOf(serverId).files
  const { helpers, bins, ...files } = nodeFiles({ drivers, filesOf, journal, clock, log })
  const connect = (serverId: string) => helpers.connect(serverId)

  const { media, transfer, virtualization } = byKind.machine
  const copies = transfer && copyServer(transfer, log)
  const monitors = new Monitors({ config, drivers, storages, host: virtualization, log })
  const transfers = nodeTransfers({ identity, log, changed: () => void heartbeat.beat() })
  const heartbeat = new Heartbeat({ monitors, writer, clock, leases, transfers })

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
  const schedules = new NodeSchedules({
    ...{ clock, journal, log, type: command, aloneAfterMs: options.aloneAfterMs },
    alone: () => servers.alone(),
    server: (serverId) => servers.settledServer(serverId),
    facts: measuredFacts(sampler, players),
    reported: () => writer.reported(),
  })
  const { backupStore = noBackupStore } = options
  const { reach } = transfers
  const links = storageLinks(reach, (repositoryId, socket) =>
    storage.serve(repositoryId, 'read', socket),
  )
  const archives = archiveServer(backupStore, links, log)
  const storage = storageServer({
    root: join(config.data, 'backups', 'kept'),
    hasRoom: () => hasRoom(config.data),
    log,
  })
  const runOf = (serverId: string) => {
    const reconciler = servers.find(serverId)
    return reconciler?.facts.running ? reconciler.memory.run : null
  }
  const type = (serverId: string, line: string) => command(serverId, line, '')
  const quiet = new Quiet({ journal, log, type, runOf })
  const backups = new Backups({
    store: backupStore,
    links,
    drop: storage.drop,
    driverOf,
    quiet,
    runOf,
    knows: (serverId) => servers.knows(serverId),
    letGo: (serverId) => helpers.end(serverId),
    makeRoom: (serverId, bytes) => bins.makeRoom(serverId, bytes),
    places: placesOf({ driver, machines, driverOf, journal, servers, storages }),
  })
  for (const serverId of quiet.owing())
    void servers.knows(serverId).then(() => quiet.resume(serverId))
  const sftp = nodeSftp({ identity, log, folder: join(config.data, 'sftp'), connect })
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
      moves:
        transfer && moves({ reach, driver: byKind.machine, transfer, journal, servers, storages }),
      checkVirtualization: virtualization && (() => monitors.virtualization.run()),
    },
    fileWork: (task, serverId) =>
      runFileTask({
        ...task,
        connect: () => connect(serverId),
        egress: () => egressOf(config),
      }),
    backups: backups.run.bind(backups),
    update: options.replacement?.update ?? updateNothing,
    claim: (scheduleId, dueMs) => schedules.claim(scheduleId, dueMs),
    ownLog: (lines) => options.logTail?.newest(lines) ?? [],
    freeImages: byKind.container.images?.freeNow,
    async runPreflight() {
      await monitors.recheck()
      await heartbeat.beat()
    },
  })

  const link = new Link({
    identity,
    writer,
    clock,
    log,
    hello: () =>
      helloOf({
        ...{ dataFolder: config.data, nodeId: identity.nodeId },
        program: options.replacement?.program,
        bootId: boot,
        drivers: byKind,
        backupStore,
        ...{ monitors, journal, clock, leases, transfers },
      }),
    welcome(welcome: Welcome) {
      heardMs = clock.nowMs()
      leases.welcomed(welcome)
      // Before any report is sent: after a lost journal, numbering must continue here.
      journal.welcomed(identity.nodeId, welcome.nodeEpoch, welcome.reportThrough)
      // The control plane now sends every desired state; `desiredEnd` disowns the servers it left
      // out.
      servers.newRound()
      schedules.welcomed()
      monitors.preflight.tryPorts(welcome.portRanges)
      sampler.every(durationMs(welcome.sampleEvery, 5_000))
      heartbeat.every(durationMs(welcome.heartbeatEvery, 5_000))
      // An unavailable runtime delays only the full inventory: servers of the others are reported
      // at once.
      for (const runtime of servers.runtimes) {
        void runtime.recovered.then(() => {
          for (const { serverId } of servers.of(runtime)) writer.observed(serverId)
        })
      }
      void servers.recovered.then(() => {
        writer.inventory(servers.inventory())
        options.healthy?.()
      })
      options.welcomed?.()
    },
    message(message: Exclude<NonNullable<ConnectResponse['message']>, { $case: 'welcome' }>) {
      schedules.solitude.heard()
      switch (message.$case) {
        case 'desiredServer':
          servers.setDesired(message.value)
          return schedules.setDesired(message.value.serverId, message.value.schedules)
        case 'desiredNode':
          sftp.setDesired(message.value)
          transfers.setDesired(message.value)
          return networks.setDesired(message.value)
        case 'desiredEnd':
          schedules.endRound()
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
          return leases.acknowledged(message.value)
        case 'rejoined':
          return leases.rejoined(message.value.nodeEpoch)
      }
    },
    lost(refused) {
      heartbeat.stop()
      leases.lost()
      schedules.lost(refused)
    },
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
  schedules.start(servers.recovered)
  sampler.start()
  bins.start()
  link.start()
  log.info(
    { nodeId: identity.nodeId, drivers: drivers.map(({ kind }) => kind), rebooted },
    'the agent has started',
  )

  return {
    servers,
    relay,
    schedules,
    metricsPort: page?.port ?? null,
    isConnected: () => writer.isOpen,
    async stop() {
      sampler.stop()
      schedules.stop()
      networks.stop()
      heartbeat.stop()
      leases.close()
      relay.close()
      await transfers.close()
      copies?.close()
      archives.close()
      storage.close()
      quiet.close()
      await sftp.close()
      await files.close()
      // The stream first, so that no desired state arrives while servers are released.
      await link.stop()
      await servers.stop()
      consoles.close()
      await page?.close()
      journal.close()
      log.info('the agent has stopped; servers keep running')
    },
  }
}
