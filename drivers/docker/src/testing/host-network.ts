import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * An abstract socket: its name is unique in a network namespace and disappears with its process.
 */
const NAME = '\0lodge-test-docker-engine'
const LOOK_EVERY_MS = 200

let holders = 0
let turn: Promise<Server> | undefined

/**
 * Waits until this process may run Docker engines in its network namespace: two engines in one
 * namespace overwrite each other's packet filter rules. Engines of one process share the lock.
 * @returns releases the lock
 */
export async function takeHostNetwork(): Promise<() => Promise<void>> {
  holders += 1
  turn ??= take()
  const server = await turn
  let isOver = false
  return async () => {
    if (isOver) return
    isOver = true
    holders -= 1
    if (holders > 0) return
    turn = undefined
    const closed = once(server, 'close')
    server.close()
    await closed
  }
}

async function take(): Promise<Server> {
  for (;;) {
    const server = createServer((socket) => socket.destroy())
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      )
      server.listen(NAME, () => resolve(true))
    })
    if (isFree) return server.unref()
    await delay(LOOK_EVERY_MS)
  }
}
