import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { findSandbox } from '../files/sandbox.ts'

/** Checks whether the processes that handle the servers' files can be closed in. */
export async function checkFileService(): Promise<PreflightCheck> {
  const found = await findSandbox()
  if ('bubblewrap' in found) {
    const summary = 'The files of each server are handled in a sandbox of their own'
    return { id: 'files', state: 'ok', summary, remedy: null }
  }
  return {
    id: 'files',
    state: 'warning',
    summary: `The files of servers are handled without a sandbox: ${found.why}`,
    remedy: 'Install bubblewrap (apt-get install bubblewrap) and run the agent as root',
  }
}
