import { dieAtCall } from '../../../../test/support/die-at-call.ts'

// Exchanges the data of a server, and is killed at a given call of the file system.

const [root = '', serverId = '', restoreId = '', point = ''] = process.argv.slice(2)

/** The code of a process that changed nothing because a file was still open. */
const TRY_AGAIN = 75

dieAtCall(Number(point), ['mkdir', 'open', 'readFile', 'rename', 'rm', 'stat'])

const { serverData } = await import('../data/server-data.ts')
const { settingsOf } = await import('../engine/options.ts')
const data = serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))
await data.exchange.swap(serverId, restoreId).catch((error) => {
  // A process that starts in a namespace of its own keeps the disk open for a while, and the caller tries again.
  if (error?.retryable !== true) throw error
  process.exit(TRY_AGAIN)
})
