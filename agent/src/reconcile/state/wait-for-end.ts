import type { Clock } from '../../clock.ts'

/** Lets work wait for the exit of a workload that is noticed elsewhere. */
export class EndWaiters {
  readonly #waiting = new Set<() => void>()

  /** Wakes the waiters: the workload has exited. */
  tell(): void {
    for (const wake of this.#waiting) wake()
  }

  /**
   * Waits for the exit.
   * @param running checked first and last
   * @returns false when it still runs after the timeout or the signal's abort
   */
  async wait(
    clock: Clock,
    running: () => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!running()) return true
    if (signal?.aborted) return false
    await new Promise<void>((resolve) => {
      const finish = () => {
        cancel()
        this.#waiting.delete(finish)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const cancel = clock.after(timeoutMs, finish)
      this.#waiting.add(finish)
      signal?.addEventListener('abort', finish, { once: true })
    })
    return !running()
  }
}
