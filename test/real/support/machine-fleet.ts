import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import { readCommandLine } from '../../../agent/src/config.ts'
import { endGuard, type GuardPlaces } from '../../../agent/src/guard/launch.ts'
import { guardOf } from '../../../agent/src/scope.ts'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { buildGuest, type Guest } from '../../../drivers/libvirt/src/testing/guest/build.ts'
import { startTestNode, type TestNode } from '../../../drivers/libvirt/src/testing/node.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { freePort } from '../../support/processes.ts'
import { SilentLine } from '../../support/silent-line.ts'
import { until } from '../../support/until.ts'
import { type FileServer, GUEST_NETWORK, serveFiles, sha256 } from '../../support/vm-world.ts'
import { ADMINISTRATOR, HttpCaller } from './http-caller.ts'
import { type Program, program } from './program.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const followParent = ['--import', path.join(repository, 'tools/follow-parent.mjs')]
/** Runs commands outside the nodes' namespaces. */
const HERE = { inside: ([file = '', ...args]: readonly string[]) => [file, args] as const }

/** A node for machines: a libvirt in its own namespaces, and an agent process. */
export interface MachineNode {
  readonly id: string
  readonly name: string
  readonly libvirt: TestNode
  readonly agent: Program
  /** The agent's data folder. */
  readonly dataFolder: string
  /** The connection from the agent to the control plane. */
  readonly line: SilentLine
  readonly guard: GuardPlaces
  /** What its agent and its guard keep in `/run`. */
  readonly runFolder: string
}

/** A control plane and two nodes with a libvirt each, every part a process that can be killed. */
export interface MachineFleet extends AsyncDisposable {
  readonly panel: Program
  readonly nodes: readonly [MachineNode, MachineNode]
  readonly admin: HttpCaller
  readonly adminId: string
  readonly database: FreshDatabase
  readonly files: FileServer
  readonly guest: Guest
  node(id: string): MachineNode
  /** The programs' last output. */
  words(): string
  /** True when the panel responds and both agents have connected, not before `since` (ms). */
  isUp(since?: { panel?: number; agent?: { id: string; at: number } }): Promise<boolean>
  /** Like `until`, but a time-out includes the programs' last output. */
  until<T>(
    what: string,
    ask: () => Promise<T | undefined | false> | T | undefined | false,
    timeoutMs?: number,
  ): Promise<T>
}

interface Choice {
  /**
   * Backups are real, and each node has a guard: agents run as on a machine with Docker whose engine
   * is down. Otherwise both belong to the fake container driver.
   */
  readonly hasBackups?: boolean
  /** The program that switches nodes off. */
  readonly fenceCommand?: string
  /** Prepares a node once its libvirt is there. @returns additional settings of its agent */
  readonly prepare?: (name: string, libvirt: TestNode) => Promise<Record<string, string>>
}

export async function startMachineFleet({
  hasBackups = false,
  fenceCommand,
  prepare,
}: Choice = {}): Promise<MachineFleet> {
  await using open = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-mf-'))
  open.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  // QEMU runs under its own account and must pass through.
  await chmod(folder, 0o711)
  const guest = await buildGuest()
  const files = open.use(await serveFiles())
  const egress = {
    LODGE_EGRESS_HOSTS: files.host,
    LODGE_EGRESS_CA: path.join(folder, 'ca.pem'),
  }
  await writeFile(egress.LODGE_EGRESS_CA, files.authority)
  const database = await freshDatabase()
  open.defer(() => database.drop())
  const [port, fleetPort] = [await freePort(), await freePort()]
  const panel = program({
    network: HERE,
    command: [process.execPath, ...followParent, 'control-plane/src/main.ts'],
    cwd: repository,
    environment: {
      ...egress,
      LODGE_DATA: path.join(folder, 'panel'),
      LODGE_HOST: '127.0.0.1',
      LODGE_PORT: String(port),
      LODGE_FLEET_HOST: '127.0.0.1',
      LODGE_FLEET_PORT: String(fleetPort),
      LODGE_FLEET_ADDRESS: `127.0.0.1:${fleetPort}`,
      LODGE_LOCAL_NODE: 'false',
      ...(fenceCommand !== undefined && { LODGE_FENCE_COMMAND: fenceCommand }),
      LODGE_LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      LODGE_APPLICATION_DATABASE_URL: database.application.url,
    },
    logFile: path.join(folder, 'panel.log'),
  })
  open.defer(() => panel.stop())
  const origin = `http://127.0.0.1:${port}`
  const admin = new HttpCaller(origin)
  const isReady = () =>
    fetch(`${origin}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  panel.start()
  await until(isReady, 120_000)
  const made = await admin.must('POST /api/auth/bootstrap', {
    body: ADMINISTRATOR,
  })

  async function openNode(name: string): Promise<MachineNode> {
    const libvirt = await startTestNode(path.join(folder, `${name}-libvirt`))
    open.defer(() => libvirt.stop())
    const prepared = await prepare?.(name, libvirt)
    const node = await admin.must('POST /api/nodes', {
      body: {
        name,
        location: 'Here',
        memoryMb: 4096,
        cpuPercent: 400,
        diskMb: 20_000,
        headroomMb: 0,
        portRanges: [{ from: 25_000, to: 25_099 }],
      },
    })
    const { token } = await admin.must('POST /api/nodes/{id}/enrollment', {
      params: { id: node.id },
    })
    const dataFolder = path.join(folder, name)
    const runFolder = path.join(folder, `${name}-run`)
    const line = open.use(await SilentLine.open(fleetPort))
    // In the mount namespace of its libvirt all paths are those of a machine with one libvirt.
    const network = {
      inside: (command: readonly string[]) =>
        ['nsenter', ['--target', String(libvirt.holderPid), '--mount', '--', ...command]] as const,
    }
    const environment = {
      ...egress,
      LODGE_AGENT_DATA: dataFolder,
      LODGE_AGENT_DRIVER: hasBackups ? 'docker' : 'fake',
      LODGE_AGENT_DOCKER_SOCKET: path.join(folder, 'no-docker.sock'),
      LODGE_AGENT_LABEL_SCOPE: `${name}-${process.pid}`,
      LODGE_AGENT_FLEET_ADDRESS: line.address,
      LODGE_AGENT_MACHINES: 'libvirt',
      LODGE_AGENT_LIBVIRT_NETWORK_NAMESPACE: libvirt.networkNamespace,
      LODGE_AGENT_PERMIT_FOLDER: path.join(runFolder, 'boot'),
      LODGE_AGENT_GUARD_FOLDER: path.join(runFolder, 'guard'),
      LODGE_AGENT_LOG_LEVEL: 'info',
      ...prepared,
    }
    const guard = guardOf(readCommandLine([], environment).config, undefined)
    const agent = program({
      network,
      command: [
        process.execPath,
        ...followParent,
        path.join(repository, 'agent/src/main.ts'),
        'run',
      ],
      environment,
      logFile: path.join(folder, `${name}.log`),
    })
    const joined = await runProgram('env', [
      ...Object.entries(environment).map(([key, value]) => `${key}=${value}`),
      ...[process.execPath, path.join(repository, 'agent/src/main.ts'), 'join', token],
    ])
    if (joined.code !== 0) throw new Error(`join: ${joined.output}`)
    open.defer(() => endGuard(guard))
    open.defer(() => agent.stop())
    agent.start()
    const params = { id: node.id }
    await until(
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online',
    ).catch((error: Error) => {
      throw new Error(`${name}: ${error.message} ${agent.lastWords()}`)
    })
    // libvirt detects a new hook only at its start.
    await libvirt.killLibvirtd()
    await libvirt.startLibvirtd()
    await until(async () => {
      const body = { enabled: true, emulationAllowed: true }
      const { status } = await admin.call('PATCH /api/nodes/{id}/virtualization', { params, body })
      return status === 200
    })
    return { id: node.id, name, libvirt, agent, dataFolder, line, guard, runFolder }
  }
  const nodes = [await openNode('first'), await openNode('second')] as const
  const words = () =>
    [panel, ...nodes.map(({ agent }) => agent)]
      .map((one) => one.output().replaceAll(/.*Docker cannot be reached.*\n/g, ''))
      .map((output) => `\n--- ${output.slice(-3000)}`)
      .join('')
  const kept = open.move()
  return {
    panel,
    nodes,
    admin,
    adminId: made.id,
    database,
    files,
    guest,
    words,
    node(id) {
      const found = nodes.find((one) => one.id === id)
      if (!found) throw new Error(`there is no node ${id}`)
      return found
    },
    async isUp({ panel: panelAt = 0, agent } = {}) {
      if (!(await isReady())) return false
      const { status, body } = await admin.call('GET /api/nodes')
      if (status !== 200) return false
      return body.items.every(({ id, state, connectedSince }) => {
        const since = Math.max(panelAt, agent?.id === id ? agent.at : 0)
        return state === 'online' && Date.parse(connectedSince ?? '') >= since
      })
    },
    until: (what, ask, timeoutMs) =>
      until(ask, timeoutMs).catch((error: Error) => {
        throw new Error(`${what}: ${error.message}${words()}`)
      }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The catalogue for the fault tests: hardware, a network, and the guest's disk as an image. */
export async function makeCatalogue(
  { admin, files, guest }: MachineFleet,
  hardware: HardwareProfile,
): Promise<{ profileId: string; networkId: string; imageId: string }> {
  const image = await readFile(guest.disk)
  const file = `/${randomUUID()}`
  files.files.set(file, image)
  const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
    body: { name: 'Guest', url: files.url(file), sha256: sha256(image), kind: 'raw' },
  })
  await until(async () => {
    const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
    return job.state === 'done'
  })
  const network = await admin.must('POST /api/virtualization/networks', { body: GUEST_NETWORK })
  const profile = await admin.must('POST /api/virtualization/profiles', {
    body: { name: 'Small', hardware },
  })
  return { profileId: profile.id, networkId: network.id, imageId: medium.id }
}
