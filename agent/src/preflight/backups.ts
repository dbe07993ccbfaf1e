import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { whyNoRestic } from '../backups/restic-store.ts'

/** Checks whether this node can back up its container servers. */
export async function checkBackups(): Promise<PreflightCheck> {
  const why = await whyNoRestic()
  if (why === null)
    return { id: 'backups', state: 'ok', summary: 'Servers can be backed up', remedy: null }
  return {
    id: 'backups',
    state: 'warning',
    summary: `Servers cannot be backed up: ${why}`,
    remedy: 'Install what is missing (apt-get install restic bubblewrap) and run the agent as root',
  }
}
