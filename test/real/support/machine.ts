import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import pg from 'pg'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { dockerdMissing } from '../../../drivers/docker/src/testing/dockerd.ts'
import { endWorkloads } from '../../../drivers/docker/src/testing/remains.ts'
import { until } from '../../support/until.ts'
import { containersOf } from './containers.ts'
import { type Engine, engineIn, removeEngine } from './engine.ts'
import { ADMINISTRATOR, HttpCaller } from './http-caller.ts'
import { makeNetwork, type Network, networkMissing, removeNetwork } from './network.ts'
import { type Program, program } from './program.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const PREFIX = 'lodge-real-'
const followParent = ['--import', path.join(repository, 'tools/follow-parent.mjs')]

/** Why this machine cannot host the test machine, or null. */
export const machineMissing = async () => (await networkMissing()) ?? (await dockerdMissing())

/**
 * A complete installation as processes: control plane with its own PostgreSQL, agent and Docker
 * engine, in their own network.
 */
export interface Machine extends AsyncDisposable {
  readonly folder: string
  readonly network: Network
  readonly engine: Engine
  readonly panel: Program
  readonly agent: Program
  readonly admin: HttpCaller
  readonly nodeId: string
  /** Direct access to the rows. */
  readonly database: pg.Pool
  /** Pid of the running PostgreSQL. */
  postmaster(): number
  /** The servers' containers, or their installers', by server id. */
  containers(kind?: 'run' | 'install'): ReturnType<typeof containersOf>
  /** True when the panel responds and the node has connected, not before `since` (ms). */
  isUp(since?: number): Promise<boolean>
  /** Like `until`, but a time-out includes the programs' last output. */
  until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
    timeoutMs?: number,
  ): Promise<T>
}

/** Starts one and waits until its own node is online and has the busybox image. */
export async function startMachine(
  given: {
    liveRestore?: boolean
    environment?: Readonly<Record<string, string>>
    agentEnvironment?: Readonly<Record<string, string>>
  } = {},
): Promise<Machine> {
  await removeLeftovers()
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`))
  // The database runs under its own account and must pass through.
  await chmod(folder, 0o755)
  const network = await makeNetwork()
  await mkdir(path.join(folder, 'lodge'))
  await mkdir(path.join(folder, network.name))
  const dataFolder = path.join(folder, 'lodge')
  const engine = engineIn({
    folder: path.join(folder, 'docker'),
    network,
    liveRestore: given.liveRestore ?? true,
  })
  const origin = `http://${network.address}:8080`
  const panel = program({
    network,
    command: [process.execPath, ...followParent, 'control-plane/src/main.ts'],
    cwd: repository,
    environment: {
      LODGE_DATA: dataFolder,
      LODGE_PORT: '8080',
      LODGE_FLEET_PORT: '8443',
      LODGE_LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      ...given.environment,
    },
    logFile: path.join(folder, 'panel.log'),
  })
  const agentEnvironment = {
    LODGE_AGENT_DATA: path.join(dataFolder, 'agent'),
    LODGE_AGENT_DOCKER_SOCKET: engine.socketPath,
    LODGE_AGENT_METRICS_ADDRESS: '0.0.0.0:9180',
    // Keep out of the test machine's own libvirt.
    LODGE_AGENT_MACHINES: 'none',
    LODGE_AGENT_LOG_LEVEL: 'info',
    ...given.agentEnvironment,
  }
  const agent = program({
    network,
    command: [process.execPath, ...followParent, 'agent/src/main.ts', 'run'],
    cwd: repository,
    environment: agentEnvironment,
    logFile: path.join(folder, 'agent.log'),
  })
  const database = new pg.Pool({
    host: path.join(dataFolder, 'database/socket'),
    user: 'postgres',
    database: 'lodge',
    max: 2,
  })
  database.on('error', () => undefined)
  const admin = new HttpCaller(origin)
  const words = () => `\npanel: ${panel.lastWords()}\nagent: ${agent.lastWords()}`

  const machine = {
    folder,
    network,
    engine,
    panel,
    agent,
    admin,
    database,
    nodeId: '',
    postmaster: () =>
      Number(
        readFileSync(path.join(dataFolder, 'database/data/postmaster.pid'), 'utf8').split('\n')[0],
      ),
    containers: (kind?: 'run' | 'install') => containersOf(engine.socketPath, kind),
    async isUp(since = 0) {
      const ready = await fetch(`${origin}/ready`).catch(() => undefined)
      if (!ready?.ok) return false
      const { status, body } = await admin.call('GET /api/nodes')
      const node = status === 200 ? body.items[0] : undefined
      return node?.state === 'online' && Date.parse(node.connectedSince ?? '') >= since
    },
    until: <T>(
      what: string,
      ask: () => Promise<T | undefined | false> | T | undefined | false,
      timeoutMs?: number,
    ) =>
      until(ask, timeoutMs).catch((error: Error) => {
        throw new Error(`${what}: ${error.message}${words()}`)
      }),
    async [Symbol.asyncDispose]() {
      await database.end().catch(() => undefined)
      await agent.stop()
      await panel.stop()
      await engine.remove()
      await removeMachine(folder)
    },
  }
  try {
    await engine.start()
    await importBusybox(engine.socketPath)
    panel.start()
    await machine.until(
      'the control plane is ready',
      () =>
        fetch(`${origin}/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      120_000,
    )
    const [file, args] = network.inside([
      process.execPath,
      'agent/src/main.ts',
      'join',
      readFileSync(path.join(dataFolder, 'local-node.join'), 'utf8').trim(),
    ])
    const joined = await runProgram('env', [
      ...Object.entries(agentEnvironment).map(([name, value]) => `${name}=${value}`),
      `--chdir=${repository}`,
      file,
      ...args,
    ])
    if (joined.code !== 0) throw new Error(`join: ${joined.output}`)
    agent.start()
    await admin.must('POST /api/auth/bootstrap', {
      body: ADMINISTRATOR,
    })
    await machine.until('the node is online', () => machine.isUp())
    const { items } = await admin.must('GET /api/nodes')
    machine.nodeId = items[0]?.id ?? ''
  } catch (error) {
    await machine[Symbol.asyncDispose]()
    throw error
  }
  return machine
}

/** Empty folders record the names of networks, for the clean-up after a killed run. */
async function removeMachine(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('docker') && !name.endsWith('.log'))
      await endWorkloads(path.join(folder, name))
    if (name.startsWith('ldgreal')) await removeNetwork(name)
  }
  await removeEngine(folder)
}

/** A killed run could not clean up: the next one does. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (!pid || (await readdir(`/proc/${pid}`).catch(() => [])).length > 0) continue
    await removeMachine(path.join(os.tmpdir(), name))
  }
}

/** The template for servers of these tests: a busybox program. */
export function busyboxTemplate(
  script: string,
  more: Partial<TemplateDocumentInput['runtime']> = {},
): TemplateDocumentInput {
  return {
    format: 'lodge/v1',
    name: 'Busybox',
    kind: 'container',
    runtime: {
      images: [
        { name: 'default', source: { kind: 'registry', reference: 'lodge-test/busybox:1' } },
      ],
      startup: { kind: 'argv', command: ['sh', '-c', script] },
      dataPath: '/data',
      proofOfLife: { patterns: [{ kind: 'text', value: 'ready' }] },
      stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
      limits: { memoryMb: 32, cpuPercent: 20, diskMb: 32 },
      ...more,
    },
  }
}
