import type { Clock } from '../clock.ts'

/** Lets work wait for the end of a workload that is told elsewhere. */
export class EndWaiters {
  readonly #waiting = new Set<() => void>()

  /** The workload has ended. */
  tell(): void {
    for (const wake of this.#waiting) wake()
  }

  /**
   * @param running looked at first and last
   * @returns false when the time was over, or the signal aborted, while it still ran
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
