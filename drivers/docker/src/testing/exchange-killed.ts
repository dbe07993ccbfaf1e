import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dieAtCall } from '../../../../test/support/die-at-call.ts'
import { TRY_AGAIN } from './killed-at.ts'

// Does a part of a restore to the data of a server, and is killed at a given call of the file system.

const [root = '', serverId = '', restoreId = '', part = '', point = ''] = process.argv.slice(2)

dieAtCall(Number(point), ['chown', 'mkdir', 'open', 'readFile', 'rename', 'rm', 'stat'])

const { serverData } = await import('../data/server-data.ts')
const { settingsOf } = await import('../engine/options.ts')
const { exchange } = serverData(settingsOf({ socketPath: '/nonexistent', dataRoot: root }))
const { signal } = new AbortController()

const parts: Readonly<Record<string, () => Promise<void>>> = {
  swap: () => exchange.swap(serverId, restoreId),
  async restore() {
    const staged = await exchange.stage(serverId, restoreId, 1_000, signal)
    await writeFile(join(staged, 'world'), 'restored')
    await exchange.complete(serverId, restoreId, signal)
    await exchange.swap(serverId, restoreId)
  },
  async undo() {
    await exchange.swapBack(serverId, restoreId)
    await exchange.settle(serverId, restoreId)
  },
  finish: () => exchange.settle(serverId, restoreId),
}
await parts[part]?.().catch((error) => {
  // A process that starts in a namespace of its own keeps the disk open for a while, and the caller tries again.
  if (error?.retryable !== true) throw error
  process.exit(TRY_AGAIN)
})
