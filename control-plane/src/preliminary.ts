import type { Ctx } from './context.ts'
import { Problem } from './problem.ts'

/**
 * Thrown within a transaction that needs an answer of another machine first, for which it must not wait.
 * Who began the transaction has it rolled back, obtains the answer, and begins again. As a problem it is
 * what the caller is told if the transaction needs another answer each time.
 */
export abstract class Preliminary extends Problem {
  /** Obtains the answer and stores it; outside of any transaction. @throws {Problem} if there is none */
  abstract obtain(ctx: Ctx): Promise<void>
}

/** Each answer may change what the next run needs. */
const MOST_RUNS = 4

/** Runs a transaction with all answers that it needs. @param work runs it from its beginning */
export async function withPreliminaries<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Preliminary) || run === MOST_RUNS) throw error
      await error.obtain(ctx)
    }
}
