import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from './reconciled-server.ts'

/** From this share of its disk on a server is told to be full; and not again before it was below the other. */
const FULL_SHARE = 0.98
const ROOM_SHARE = 0.95
const BYTES_PER_MIB = 1024 * 1024

/** Tells once that the disk of a server is full, when a measurement says so. */
export function judgeDisk(reconciler: ReconciledServer, usedBytes: number): void {
  const { memory } = reconciler
  const spec = reconciler.desired?.spec
  // The disks of a machine are as large as its own file systems say.
  if (!spec || isMachine(spec)) return
  const limitMb = spec.limits.diskMb
  const share = usedBytes / (limitMb * BYTES_PER_MIB)
  if (memory.diskFull && share < ROOM_SHARE) {
    memory.diskFull = false
    reconciler.save()
  }
  if (memory.diskFull || share < FULL_SHARE) return
  memory.diskFull = true
  const enforced = memory.diskLimit === 'enforced'
  reconciler.report('disk_full', {
    reason: `The ${limitMb} MiB of the server's disk are used up${enforced ? ': it can write nothing more' : ''}. Delete files or give it more`,
  })
}
