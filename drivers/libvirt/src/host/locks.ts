/** One lock per server, granted in order. */
export interface Locks {
  hold<T>(serverId: string, work: () => Promise<T>): Promise<T>
  /** Does nothing when the lock is held. */
  holdIfFree(serverId: string, work: () => Promise<void>): Promise<void>
}

export function serverLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  const locks: Locks = {
    async hold(serverId, work) {
      const before = last.get(serverId) ?? Promise.resolve()
      const own = before.then(work, work)
      // The next in line waits for this one, whether it succeeds or fails.
      const ended = own.catch(() => {})
      last.set(serverId, ended)
      try {
        return await own
      } finally {
        if (last.get(serverId) === ended) last.delete(serverId)
      }
    },
    async holdIfFree(serverId, work) {
      if (!last.has(serverId)) await locks.hold(serverId, work)
    },
  }
  return locks
}
