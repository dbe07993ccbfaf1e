import { DriverError } from './driver.ts'

/** Work on servers that can be cancelled. */
export interface Cancellation {
  /** Runs the work with a signal that also aborts when `cancel` is called for the server. */
  during<T>(
    serverId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /**
   * Cancels all work under way for the server; it throws a retryable `DriverError` with this code.
   */
  cancel(serverId: string): void
  isUnderWay(serverId: string): boolean
}

export function cancellation(code: 'install_failed' | 'start_failed'): Cancellation {
  const working = new Map<string, Set<AbortController>>()
  return {
    async during(serverId, signal, work) {
      const own = new AbortController()
      const set = working.get(serverId) ?? new Set()
      working.set(serverId, set)
      set.add(own)
      try {
        return await work(AbortSignal.any([signal, own.signal]))
      } finally {
        set.delete(own)
        if (set.size === 0) working.delete(serverId)
      }
    },
    cancel(serverId) {
      const reason = new DriverError(code, 'Ended on request.', { retryable: true })
      for (const work of working.get(serverId) ?? []) work.abort(reason)
    },
    isUnderWay: (serverId) => working.has(serverId),
  }
}
