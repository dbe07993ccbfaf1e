import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * An abstract socket: its name is unique in a network namespace and disappears with its process.
 */
const NAME = '\0lodge-test-docker-engine'
const LOOK_EVERY_MS = 200

interface Turn {
  holders: number
  readonly server: Promise<Server>
  readonly givenUp: AbortController
}

let turn: Turn | undefined

/**
 * Waits until this process may run Docker engines in its network namespace: two engines in one
 * namespace overwrite each other's packet filter rules. Engines of one process share the lock.
 * @returns releases the lock
 */
export async function takeHostNetwork(): Promise<() => Promise<void>> {
  turn ??= begin()
  const mine = turn
  mine.holders += 1
  let isOver = false
  const release = async () => {
    if (isOver) return
    isOver = true
    mine.holders -= 1
    if (mine.holders === 0) await end(mine)
  }
  await mine.server.catch(async (error) => {
    await release()
    throw error
  })
  return release
}

/**
 * Releases what a file of tests left taken or waited for, because its clean-up failed or its time
 * was over: the next file runs in the same process, and all others would wait for its end.
 */
export async function leaveHostNetwork(): Promise<void> {
  if (turn) await end(turn)
}

function begin(): Turn {
  const givenUp = new AbortController()
  return { holders: 0, server: take(givenUp.signal), givenUp }
}

async function end(ended: Turn): Promise<void> {
  if (turn === ended) turn = undefined
  ended.givenUp.abort(new Error('the file of tests that waited for the network has ended'))
  const server = await ended.server.catch(() => undefined)
  if (!server?.listening) return
  const closed = once(server, 'close')
  server.close()
  await closed
}

async function take(signal: AbortSignal): Promise<Server> {
  for (;;) {
    signal.throwIfAborted()
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
