import { close, isAlive, open, setKeepAlive } from './bindings.ts'
import type { Connection } from './connection.ts'
import { LibvirtUnavailable } from './fault.ts'

/** A daemon is considered dead after this many unanswered keepalives at this interval. */
const KEEP_ALIVE_SECONDS = 5
const KEEP_ALIVE_COUNT = 3

/** A pool of connections, each lent to one call at a time. */
export interface Pool {
  /**
   * Runs the call with exclusive use of a connection. Throws `cannotOpen()` when none can be
   * opened.
   */
  lend<T>(call: (connection: Connection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens up to `size` connections on demand. */
export function connectionPool(uri: string, size: number, cannotOpen: () => Promise<Error>): Pool {
  const idle: Connection[] = []
  const waiting: ((slot: Connection | null) => void)[] = []
  let lent = 0

  /** Null permits the caller to open a new connection. */
  function borrow(): Promise<Connection | null> {
    const ready = idle.pop()
    if (ready || lent < size) {
      lent += 1
      return Promise.resolve(ready ?? null)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }

  function giveBack(connection: Connection | null): void {
    const next = waiting.shift()
    if (next) {
      next(connection)
      return
    }
    lent -= 1
    if (connection) idle.push(connection)
  }

  return {
    async lend(call) {
      let connection = await borrow()
      try {
        if (connection && !(await works(connection))) connection = null
        connection ??= await connect(uri)
        if (connection === null) throw await cannotOpen()
        return await call(connection)
      } catch (error) {
        if (!connection || (await works(connection))) throw error
        connection = null
        const why = error instanceof Error ? error.message : String(error)
        throw new LibvirtUnavailable(`The connection to libvirt was lost: ${why}`)
      } finally {
        giveBack(connection)
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ at }) => close(at)))
    },
  }
}

/** Checks a connection without contacting the daemon; closes a lost one. */
async function works(connection: Connection): Promise<boolean> {
  if ((await isAlive(connection.at)) === 1) return true
  await close(connection.at)
  return false
}

/** Opens a connection with keepalive; null when the daemon cannot be reached. */
export async function connect(uri: string): Promise<Connection | null> {
  const at = await open(uri)
  if (at === null) return null
  await setKeepAlive(at, KEEP_ALIVE_SECONDS, KEEP_ALIVE_COUNT)
  return { at }
}
