import { readlinkSync } from 'node:fs'
import { drawn } from '../../../drivers/contract/src/suite/chance.ts'
import type { MachineFleet, MachineNode } from '../../real/support/machine-fleet.ts'
import { until } from '../../support/until.ts'
import type { Subject } from './machine-contents.ts'
import { processesOf } from './machine-watch.ts'

/** The operations on a machine; each is a job with these steps. `Boot` is the boot after it. */
export const STEPS = {
  create: ['Prepare the image', 'Install', 'Start'],
  snapshot: ['Make room', 'Copy', 'Finish', 'Boot'],
  restore: ['Restore', 'Finish', 'Boot'],
  move: [
    ...['Make room', 'Back up', 'Read the disks', 'Copy'],
    ...['Change the place', 'Prove the new place', 'Finish', 'Boot'],
  ],
} as const
export type Operation = keyof typeof STEPS

/** For a moving machine, `other` is its target. */
export type Part =
  | 'agent'
  | 'other agent'
  | 'control plane'
  | 'libvirtd'
  | 'other libvirtd'
  | 'QEMU'
  | 'swtpm'
  | 'qemu-img'

/** One fault: this part, in this step of this operation. */
export interface Blow {
  readonly operation: Operation
  readonly step: string
  readonly part: Part
}

/** Steps in which a machine's own processes run, and the one in which another program creates its disk. */
const RUNS = ['Start', 'Boot']
const CONVERTS = 'Install'

/** Every part at every step in which it is involved. */
export function allBlows(operation: Operation): Blow[] {
  return STEPS[operation].flatMap((step): Blow[] => {
    const parts: Part[] = ['agent', 'libvirtd', 'control plane']
    if (operation === 'move' && step !== 'Boot') parts.push('other agent', 'other libvirtd')
    if (RUNS.includes(step)) parts.push('QEMU', 'swtpm')
    if (step === CONVERTS) parts.push('qemu-img')
    return parts.map((part) => ({ operation, step, part }))
  })
}

const PROCESS = { QEMU: 'qemu-system', swtpm: 'swtpm', 'qemu-img': 'qemu-img' } as const
/** A machine's process that does not appear within this time was too quick for the test. */
const SEEN_MS = 30_000
/** The time between two checks: some processes exit after a tenth of a second. */
const LOOK_MS = 25

/**
 * Kills a part, and restarts it as its supervisor does. Only Lodge restarts a machine's process.
 * @param home the node that has the machine
 * @param isOver true when there will be no such process any more
 * @returns false when there was nothing to kill
 */
export async function strike(
  fleet: MachineFleet,
  { part }: Pick<Blow, 'part'>,
  home: MachineNode,
  subject: Subject | undefined,
  isOver: () => boolean,
): Promise<boolean> {
  const other = fleet.nodes.find(({ id }) => id !== home.id) ?? home
  const at = part.startsWith('other') ? other : home
  const now = Date.now()
  switch (part) {
    case 'agent':
    case 'other agent':
      await at.agent.kill()
      at.agent.start()
      await fleet.until(
        'the agent is back',
        () => fleet.isUp({ agent: { id: at.id, at: now } }),
        90_000,
      )
      return true
    case 'control plane':
      await fleet.panel.kill()
      fleet.panel.start()
      await fleet.until('the panel is back', () => fleet.isUp({ panel: now }), 90_000)
      return true
    case 'libvirtd':
    case 'other libvirtd':
      await at.libvirt.killLibvirtd()
      await at.libvirt.startLibvirtd()
      return true
    default: {
      const names = subject ? [subject.uuid, subject.serverId] : []
      const find = () =>
        processesOf(names).find(({ program }) => program === PROCESS[part as keyof typeof PROCESS])
      const seen = await until(() => find() ?? (isOver() ? null : undefined), SEEN_MS, LOOK_MS)
      if (!seen) return false
      if (part !== 'qemu-img') await moment(2_000)
      try {
        process.kill(seen.pid, 'SIGKILL')
      } catch {
        return false
      }
      return true
    }
  }
}

/** A random moment for a fault. */
export const moment = (mostMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, drawn(0, mostMs + 1)))

/** Where a machine's process runs, or undefined. */
export function runsOn(fleet: MachineFleet, { uuid }: Subject): MachineNode | undefined {
  const qemu = processesOf([uuid]).find(({ program }) => program === 'qemu-system')
  return fleet.nodes.find(
    ({ libvirt }) => qemu && readlinkSync(libvirt.networkNamespace) === qemu.namespace,
  )
}
