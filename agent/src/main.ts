import { rm } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import type { BackupStore } from '@lodge/driver/backup-store.ts'
import { sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { lockFolder, unlockFolder } from '@lodge/shared/local/folder-lock.ts'
import type { Logger } from 'pino'
import { type Agent, startAgent } from './agent.ts'
import { type Config, ConfigError, readCommandLine } from './config.ts'
import type { AnyDriver } from './drivers.ts'
import { egressOf } from './egress-policy.ts'
import { type Identity, identityFile, loadIdentity, saveIdentity } from './enrollment/identity.ts'
import { join } from './enrollment/join.ts'
import { type Guard, keepGuard } from './guard/keeper.ts'
import { startBeforeMachines } from './late-machines.ts'
import { createLog } from './log.ts'
import { LogTail } from './log-tail.ts'
import { checkLibvirt, libvirtDaemon } from './preflight/libvirt.ts'
import { reasonOf } from './reason-of.ts'
import { guardOf, keptScope, ownScope, permitsOf } from './scope.ts'
import type { DriverRemains } from './uninstall.ts'
import { programOf } from './update/program.ts'
import { HEALTHY, ON_TRIAL } from './update/trial.ts'
import { type Replacement, updater } from './update/updater.ts'

/** The longest that a shutdown may take. */
const STOP_MS = 10_000

/** How often to check whether libvirt was installed after the agent started. */
const LOOK_EVERY_MS = 15_000

async function openMachines(config: Config, identity: Identity, log: Logger): Promise<AnyDriver> {
  const { libvirtDriver } = await import('@lodge/driver-libvirt/libvirt.ts')
  const { METADATA_URI } = await import('@lodge/driver-libvirt/domain/record.ts')
  const { bootGuard } = await import('./boot/guard.ts')
  const { mediumFromAddress } = await import('@lodge/driver-libvirt/media/from-address.ts')
  const { keptOrFrom } = await import('./machines/kept-media.ts')
  const guard = bootGuard({
    hooksFolder: config.libvirtHooksFolder,
    permitFolder: permitsOf(config),
    mark: METADATA_URI,
    scope: config.labelScope,
    identityFile: identityFile(config.data),
    supervised: config.libvirtSupervised,
  })
  // Without the hook, permits still bind this agent; the node's page shows what is missing.
  await guard.install().catch((error: unknown) => {
    log.warn({ reason: reasonOf(error) }, 'the hook for libvirt could not be installed')
  })
  return libvirtDriver({
    uri: config.libvirtUri,
    dataRoot: joinPath(config.data, 'machines'),
    storages: sharedStorages(config.sharedStorages, config.rbdPools),
    mediaFolder: joinPath(config.data, 'media'),
    scope: config.labelScope,
    tpmFolder: config.libvirtTpmFolder,
    ...(config.libvirtNetworkNamespace === ''
      ? {}
      : { networkNamespace: config.libvirtNetworkNamespace }),
    guard,
    openMedium: keptOrFrom(identity, mediumFromAddress(await egressOf(config))),
    log: (line) => log.warn({ driver: 'libvirt' }, line),
  })
}

/** The driver of containers, and where their backups go. */
async function openContainers(
  config: Config,
  warn: (line: string) => void,
): Promise<{ containers: AnyDriver; backupStore: BackupStore }> {
  const dataRoot = joinPath(config.data, 'servers')
  const storages = sharedStorages(config.sharedStorages, config.rbdPools)
  if (config.driver === 'fake') {
    const { fakeDriver } = await import('@lodge/driver-fake/fake.ts')
    const containers = fakeDriver({ dataRoot, storages })
    return { containers, backupStore: containers.backupStore }
  }
  // Earlier versions kept a second copy of every image here.
  await rm(joinPath(config.data, 'image-cache'), { recursive: true, force: true })
  const { dockerDriver } = await import('@lodge/driver-docker/docker.ts')
  const { resticStore } = await import('./backups/restic-store.ts')
  const backupStore = await resticStore(
    joinPath(config.data, 'backups'),
    config.egressCa === '' ? undefined : config.egressCa,
  )
  const containers = dockerDriver({
    socketPath: config.dockerSocket,
    dataRoot,
    archiveFolder: joinPath(config.data, 'images'),
    labelScope: config.labelScope,
    networkPrefix: config.networkPrefix,
    subnetPool: config.subnetPool,
    engineSupervised: config.engineSupervised,
    warmPool: 3,
    storages,
    ...(config.registryConfig === '' ? {} : { registryCredential: await passwordsIn(config) }),
    log: warn,
  })
  return { containers, backupStore }
}

/** Checks the file at startup; a fault that appears later is reported by the pull that needs it. */
async function passwordsIn({ registryConfig }: Config) {
  const { checkRegistryConfig, registryCredential } = await import('./registry-credentials.ts')
  await checkRegistryConfig(registryConfig).catch((error: Error) => {
    throw new ConfigError(`registry-config: ${error.message}`)
  })
  return (host: string) => registryCredential(registryConfig, host)
}

/** The only place that knows all drivers; each is loaded when needed. */
async function startWithDrivers(
  config: Config,
  identity: Identity,
  log: Logger,
  logTail: LogTail,
  replacement: Replacement,
  guard: Guard | undefined,
): Promise<Pick<Agent, 'stop'>> {
  const { containers, backupStore } = await openContainers(config, (line) =>
    log.warn({ driver: 'docker' }, line),
  )
  const start = (machines: AnyDriver | null) => {
    const drivers = machines ? [containers, machines] : [containers]
    return startAgent({
      config,
      identity,
      drivers,
      backupStore,
      log,
      logTail,
      welcomed: () => notifyParent('connected'),
      healthy: () => notifyParent(HEALTHY),
      replacement,
      ...(guard && { guard }),
    })
  }
  const automatic = config.machines === 'auto' && config.driver === 'docker'
  if (config.machines === 'libvirt' || (automatic && (await libvirtDaemon())))
    return await start(await openMachines(config, identity, log))
  if (!automatic) return await start(null)
  return await startBeforeMachines({
    log,
    start,
    // Checked by connecting: during installation the program exists before its libraries do.
    isInstalled: async () => (await checkLibvirt()).state === 'ok',
    openMachines: () => openMachines(config, identity, log),
    failed(error) {
      log.fatal({ err: error }, 'the agent could not be restarted')
      process.exit(1)
    },
    lookEveryMs: LOOK_EVERY_MS,
  })
}

/** Tells a parent process with an IPC channel that the node is ready for use. */
const notifyParent = (news: string) => void (process.connected && process.send?.(news))

/** Two agents on one data folder would steal each other's connection and servers. */
const takeFolder = (config: Config, waiting: (sentence: string) => void) =>
  lockFolder(config.data, 'agent', {
    variable: 'LODGE_AGENT_DATA',
    patienceMs: STOP_MS,
    waiting,
  })

async function run(given: Config): Promise<void> {
  const logTail = new LogTail()
  const log = createLog(given.logLevel, logTail)
  const joined = await loadIdentity(given.data)
  if (!joined) throw new ConfigError('This machine has not joined yet: lodge agent join <token>')
  const identity = { ...joined, fleetAddress: given.fleetAddress || joined.fleetAddress }
  await takeFolder(given, (sentence) => log.warn(sentence))
  const config = { ...given, labelScope: given.labelScope || (await ownScope(given.data)) }
  const program = programOf()
  // Only root ends what Docker runs.
  const isGuarded = config.driver === 'docker' && process.getuid?.() === 0
  const guard = isGuarded ? keepGuard(guardOf(config, program?.prefix), log) : undefined
  const update = updater({
    ...{ program, identity, log, guard, dataFolder: given.data, environment: process.env },
    async stop() {
      await agent.stop()
      // The version that is tried keeps the guard meanwhile, and may replace it.
      guard?.close()
      unlockFolder(given.data, 'agent')
    },
  })
  const replacement = { program, update }
  const agent = await startWithDrivers(config, identity, log, logTail, replacement, guard)
  const end = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping the agent')
    // Servers keep running in any case, so a slow shutdown may be cut short.
    setTimeout(() => process.exit(0), STOP_MS).unref()
    void agent.stop().finally(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
}

/** What the drivers have created on this machine. */
const driverRemains = (config: Config): DriverRemains => ({
  async containers() {
    const { dockerRemains } = await import('@lodge/driver-docker/container/remains.ts')
    return dockerRemains({
      socketPath: config.dockerSocket,
      dataRoot: joinPath(config.data, 'servers'),
      labelScope: config.labelScope,
      networkPrefix: config.networkPrefix,
      subnetPool: config.subnetPool,
    })
  },
  async machines() {
    const nothing = { remains: [], close: async () => {} }
    if (config.machines === 'none') return nothing
    const { libvirtRemains } = await import('@lodge/driver-libvirt/remains.ts')
    return await libvirtRemains({
      uri: config.libvirtUri,
      dataRoot: joinPath(config.data, 'machines'),
      storages: sharedStorages(config.sharedStorages, config.rbdPools),
      mediaFolder: joinPath(config.data, 'media'),
      scope: config.labelScope,
      ...(config.libvirtNetworkNamespace === ''
        ? {}
        : { networkNamespace: config.libvirtNetworkNamespace }),
    }).catch(() => nothing)
  },
})

/** `remains` lists what there is to remove; `uninstall` removes it. */
async function tidy(command: 'remains' | 'uninstall', given: Config): Promise<void> {
  const config = { ...given, labelScope: given.labelScope || (await keptScope(given.data)) }
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { remainsOf, uninstall } = await import('./uninstall.ts')
  if (command === 'uninstall') {
    await takeFolder(config, (sentence) => process.stderr.write(`${sentence}\n`))
    if (!(await uninstall(config, driverRemains(config), say))) process.exitCode = 1
    return
  }
  const { remains, close } = await remainsOf(config, driverRemains(config))
  for (const { what } of remains) say(what)
  await close()
}

async function main(): Promise<void> {
  // Files are created with explicit modes; a stricter umask would close folders that others must
  // traverse.
  process.umask(0o022)
  // The version that tries this one was killed: its supervisor starts it again.
  if (process.env[ON_TRIAL]) {
    process.once('disconnect', () => process.exit(0))
    if (!process.connected) process.exit(0)
  }
  const { command, joinToken, config } = readCommandLine(process.argv.slice(2))
  if (command === 'run') return await run(config)
  if (command === 'remains' || command === 'uninstall') return await tidy(command, config)
  const identity = await join(joinToken)
  await saveIdentity(config.data, identity)
  process.stdout.write(`This machine is now the node ${identity.nodeId}\n`)
}

main().catch((error: unknown) => {
  const known = error instanceof Error
  process.stderr.write(`${known ? error.message : String(error)}\n`)
  process.exitCode = error instanceof ConfigError ? 2 : 1
  // An agent that failed to start holds nothing worth waiting for.
  setTimeout(() => process.exit(), 100).unref()
})
