import { readdirSync, readlinkSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { endGuard } from '../../../agent/src/guard/launch.ts'
import type { MachineFleet, MachineNode } from '../../real/support/machine-fleet.ts'
import { until } from '../../support/until.ts'

/** A way to lose a node, and how it comes back. */
interface Loss {
  readonly name: string
  /** Whether its machines keep running meanwhile. */
  readonly isAlive: boolean
  readonly lose: (node: MachineNode) => Promise<void>
  readonly bringBack: (node: MachineNode, fleet: MachineFleet) => Promise<void>
}

export const CUT_WITHOUT_LIBVIRT: Loss = {
  name: 'link is cut, and libvirt dies until after the agent is back',
  isAlive: true,
  async lose({ line, libvirt }) {
    line.cut(['out', 'in'])
    await libvirt.killLibvirtd()
  },
  async bringBack(node, fleet) {
    node.line.mend()
    await isToldToStop(node, fleet)
    await node.libvirt.startLibvirtd()
  },
}

export const LOSSES: readonly Loss[] = [
  { name: 'power is cut', isAlive: false, lose: cutPower, bringBack: switchOn },
  {
    name: 'link is cut',
    isAlive: true,
    lose: async ({ line }) => line.cut(['out', 'in']),
    bringBack: async ({ line }) => line.mend(),
  },
  CUT_WITHOUT_LIBVIRT,
  {
    name: 'agent is frozen',
    isAlive: true,
    lose: async ({ agent }) => void process.kill(agent.pid, 'SIGSTOP'),
    bringBack: async ({ agent }) => void process.kill(agent.pid, 'SIGCONT'),
  },
]

const TOLD_MS = 90_000

/** Waits until the node is back and was told to stop servers that are elsewhere now. */
async function isToldToStop({ id }: MachineNode, fleet: MachineFleet): Promise<void> {
  await fleet.until(
    'the node is told to stop its copy',
    async () => {
      const { state } = await fleet.admin.must('GET /api/nodes/{id}', { params: { id } })
      const { rowCount } = await fleet.database.pool.query(
        'select from superseded_copies where node_id = $1 and stopped_at is null and tries > 0',
        [id],
      )
      return state !== 'offline' && rowCount === 1
    },
    TOLD_MS,
  )
}

/** Everything of the node dies at the same time, except its disks. */
export async function cutPower({ agent, guard, libvirt }: MachineNode): Promise<void> {
  await agent.kill()
  await endGuard(guard)
  await libvirt.killLibvirtd()
  const namespace = readlinkSync(libvirt.networkNamespace)
  await until(() => {
    const pids = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== libvirt.holderPid && namespaceOf(pid) === namespace)
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has exited already, like its connection.
      }
    }
    return pids.length === 0
  })
}

/** The node boots: memory contents are gone, and its supervisor starts libvirt and the agent. */
export async function switchOn({ agent, libvirt, runFolder }: MachineNode): Promise<void> {
  const run = path.join(libvirt.folder, 'run')
  for (const name of await readdir(run)) await rm(path.join(run, name), { recursive: true })
  await rm(runFolder, { recursive: true, force: true })
  await libvirt.run('nft', ['flush', 'ruleset'])
  const { output } = await libvirt.run('ls', ['/sys/class/net'])
  for (const link of output.split('\n').filter((name) => name !== '' && name !== 'lo'))
    await libvirt.run('ip', ['link', 'delete', link])
  await libvirt.startLibvirtd()
  agent.start()
}

function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return null
  }
}
