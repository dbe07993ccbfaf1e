import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

/**
 * A disk is reported as full from this share on, and again only after it fell below the other:
 * hysteresis, so that a disk at the limit does not flood the history.
 */
const FULL_SHARE = 0.98
const ROOM_SHARE = 0.95
const BYTES_PER_MIB = 1024 * 1024

/** Reports once when a sample shows that a server's disk is full. */
export function judgeDisk(reconciler: ReconciledServer, usedBytes: number): void {
  const { memory } = reconciler
  const spec = reconciler.desired?.spec
  // A machine's disks are fully allocated; only its own file systems know how full they are.
  if (!spec || isMachine(spec)) return
  const limitMb = spec.limits.diskMb
  const share = usedBytes / (limitMb * BYTES_PER_MIB)
  if (memory.diskFull && share < ROOM_SHARE) {
    memory.diskFull = false
    reconciler.save()
  }
  if (memory.diskFull || share < FULL_SHARE) return
  memory.diskFull = true
  reconciler.report('disk_full', {
    reason:
      memory.diskLimit === 'enforced'
        ? `The ${limitMb} MiB of the server's disk are used up: it can write nothing more. Delete files or give it more`
        : `The ${limitMb} MiB of the server's disk are used up. Delete files or give it more`,
  })
}
