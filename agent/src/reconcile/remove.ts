import type { KeptServer } from './kept-server.ts'

const TRIES_BEFORE_FAILURE = 5

/** Takes the server and its data away; tried again until that is done. */
export async function removeServer(keeper: KeptServer): Promise<void> {
  const { serverId, around, memory } = keeper
  try {
    await around.driver.kill(serverId)
    await around.driver.remove(serverId)
  } catch (error) {
    around.log.warn({ err: error, serverId }, 'a server could not be removed yet')
    keeper.retryLater()
    if (keeper.retries >= TRIES_BEFORE_FAILURE) {
      memory.failure = {
        code: 'remove_failed',
        detail: 'The server could not be removed yet; it is tried again',
        retryable: true,
      }
      keeper.settle()
    }
    return
  }
  keeper.facts = { exists: false, running: false, ended: false }
  keeper.ends.tell()
  keeper.retries = 0
  keeper.retryAtMs = null
  memory.gone = true
  memory.failure = null
  memory.installed = 0
  memory.installFailed = 0
  memory.run = 0
  keeper.phase('stopped')
}
