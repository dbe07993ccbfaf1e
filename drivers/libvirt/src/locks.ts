/** One thing at a time for each server; whoever comes later waits. */
export interface Locks {
  hold<T>(serverId: string, work: () => Promise<T>): Promise<T>
  /** Does nothing when somebody has it. */
  holdIfFree(serverId: string, work: () => Promise<void>): Promise<void>
}

export function serverLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  const locks: Locks = {
    async hold(serverId, work) {
      const before = last.get(serverId) ?? Promise.resolve()
      const own = before.then(work, work)
      // The next one waits for us, however we end.
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
