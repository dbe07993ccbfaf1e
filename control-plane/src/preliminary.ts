import type { Ctx } from './context.ts'
import { Problem } from './problem.ts'

/**
 * Thrown within a transaction that first needs an answer from another machine, since a transaction must
 * not wait for one. `withPreliminaries` rolls it back, obtains the answer, and runs it again. If every
 * run needs yet another answer, the caller receives this as a problem.
 */
export abstract class Preliminary extends Problem {
  /** Obtains the answer and stores it, outside any transaction. @throws {Problem} if there is none */
  abstract obtain(ctx: Ctx): Promise<void>
}

/** Each answer may change what the next run needs. */
const MOST_RUNS = 4

/** Runs a transaction and obtains the answers that it needs. @param work runs it from its beginning */
export async function withPreliminaries<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Preliminary) || run === MOST_RUNS) throw error
      await error.obtain(ctx)
    }
}
