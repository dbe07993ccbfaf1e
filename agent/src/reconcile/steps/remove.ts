import type { ReconciledServer } from '../state/reconciled-server.ts'

const TRIES_BEFORE_FAILURE = 5

/** Removes the server and its data, retrying until it succeeds. */
export async function removeServer(reconciler: ReconciledServer): Promise<void> {
  const { serverId, around, desired, memory } = reconciler
  try {
    await around.driver.kill(serverId)
    // Another node may have its files since: then what is removed here is not the server.
    const isOurs = desired === null || (await around.storages.mayDelete(desired))
    await around.driver.remove(serverId, isOurs ? 'and-shared' : undefined)
  } catch (error) {
    around.log.warn({ err: error, serverId }, 'could not remove a server yet')
    reconciler.retryLater()
    if (reconciler.retries >= TRIES_BEFORE_FAILURE) {
      memory.failure = {
        code: 'remove_failed',
        detail: 'The server could not be removed yet. It is tried again',
        retryable: true,
      }
      reconciler.settle()
    }
    return
  }
  reconciler.facts = { exists: false, running: false, ended: false }
  reconciler.ends.tell()
  reconciler.retries = 0
  reconciler.retryAtMs = null
  memory.gone = true
  memory.failure = null
  memory.installed = 0
  memory.installFailed = 0
  memory.run = 0
  reconciler.phase('stopped')
}
