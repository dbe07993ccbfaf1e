import * as vir from './bindings.ts'
import { type Connection, checked, present, withDomain } from './connection.ts'
import { FAULT, LibvirtError } from './fault.ts'
import { readParameters } from './memory.ts'

/** `virDomainJobType` of a job that is over. */
const COMPLETED = 3
/** `virDomainGetJobStats` of the last job instead of the present one. */
const LAST_JOB = 1

export interface BackupJob {
  readonly state: 'running' | 'done' | 'failed'
  /** Null while it is not known. */
  readonly percent: number | null
}

/** Operations on libvirt that copy the disks of a running machine. */
export const backupCalls = {
  /** Begins a backup job; the guest goes on. */
  beginBackup: (own: Connection, uuid: string, xml: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.beginBackup(domain, xml, null, 0))),

  /** The document of the backup job under way, or null. */
  backupXml: (own: Connection, uuid: string): Promise<string | null> =>
    withDomain(own, uuid, async (domain) => {
      try {
        return await present(own, vir.backupXml(domain, 0))
      } catch (error) {
        if (error instanceof LibvirtError && error.code === FAULT.noBackup) return null
        throw error
      }
    }),

  /** How far the backup job is. Throws when the machine does not run. */
  backupJob: (own: Connection, uuid: string): Promise<BackupJob> =>
    withDomain(own, uuid, async (domain) => {
      const now = await jobOf(own, domain, 0)
      if (now.type === 0) {
        const { type } = await jobOf(own, domain, LAST_JOB)
        return { state: type === COMPLETED ? 'done' : 'failed', percent: null }
      }
      const { disk_total: total, disk_processed: processed } = now.values
      const known = typeof total === 'bigint' && typeof processed === 'bigint' && total > 0n
      return { state: 'running', percent: known ? Number((processed * 100n) / total) : null }
    }),

  abortJob: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.abortJob(domain))),

  /** Has the guest agent write everything out and stop writing. */
  freezeFileSystems: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.freezeFileSystems(domain, null, 0, 0))),

  thawFileSystems: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.thawFileSystems(domain, null, 0, 0))),
} as const

async function jobOf(own: Connection, domain: vir.Pointer, flags: number) {
  const [type, params, count]: [[number], [vir.Pointer | null], [number]] = [[0], [null], [0]]
  await checked(own, vir.jobStats(domain, type, params, count, flags))
  const [at] = params
  if (at === null) return { type: type[0], values: {} }
  try {
    return { type: type[0], values: readParameters(at, count[0]) }
  } finally {
    vir.freeParameters(at, count[0])
  }
}
