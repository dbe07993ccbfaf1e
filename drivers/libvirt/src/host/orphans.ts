import type { Settings } from '../options.ts'
import { endAll, type NodeProcess, processesIn, programOf } from './processes.ts'

/**
 * Processes of machines that libvirt considers stopped. A libvirt that dies between creating a
 * process and recording it never learns of that process again: an orphaned swtpm keeps its state
 * locked, and an orphaned QEMU keeps running the guest.
 */
export interface Orphans {
  /** Which of these machines have processes. */
  find(uuids: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /**
   * Kills every process of the machine and returns when they are gone. Only for a machine that
   * libvirt considers stopped, called with the server's lock held: otherwise it would kill a start
   * in progress. Throws `timeout` (retryable) when a process does not go away.
   */
  end(uuid: string): Promise<void>
  /** Running machines whose TPM is a process that has died. */
  withoutTpm(): Promise<ReadonlySet<string>>
}

interface MachineProcess {
  readonly pid: number
  readonly uuid: string
  readonly is: 'machine' | 'tpm'
  readonly usesTpm: boolean
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
/** As libvirt starts them: `-uuid <uuid>`, and the state folder, `…/<uuid>/tpm2`. */
const PROGRAMS = [
  {
    is: 'machine',
    name: /^(?:qemu-system-\w+|qemu-kvm|kvm)$/,
    line: new RegExp(`\0-uuid\0(${UUID})\0`),
  },
  { is: 'tpm', name: /^swtpm$/, line: new RegExp(`\0dir=[^\0]*/(${UUID})/tpm2\\b`) },
] as const
const USES_TPM = '\0-tpmdev\0emulator'

export function machineOrphans({ networkNamespace }: Settings): Orphans {
  // Another libvirt with a copy of the same machine runs in another network namespace.
  const processes = () => processesIn(networkNamespace, machineProcess)
  return {
    async find(uuids) {
      if (uuids.size === 0) return new Set()
      const found = (await processes()).map(({ uuid }) => uuid)
      return new Set(found.filter((uuid) => uuids.has(uuid)))
    },
    end: (uuid) =>
      endAll(async () =>
        (await processes()).flatMap((one) => (one.uuid === uuid ? [one.pid] : [])),
      ),
    async withoutTpm() {
      const all = await processes()
      const tpms = new Set(all.flatMap(({ is, uuid }) => (is === 'tpm' ? [uuid] : [])))
      return new Set(all.flatMap(({ uuid, usesTpm }) => (usesTpm && !tpms.has(uuid) ? [uuid] : [])))
    },
  }
}

function machineProcess({ pid, line }: NodeProcess): MachineProcess | null {
  const file = programOf(line)
  const program = PROGRAMS.find(({ name }) => name.test(file))
  const uuid = program?.line.exec(line)?.[1]
  if (!program || uuid === undefined) return null
  return { pid, uuid, is: program.is, usesTpm: line.includes(USES_TPM) }
}
