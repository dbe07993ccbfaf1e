import { ApiError } from '../../api.ts'

/**
 * Asks for something at the price that was shown. If it costs something else by now, that is refused
 * and the price fetched once more, so that the next attempt is at a price that was shown, too.
 */
export async function atShownPrice<R>(
  ask: () => Promise<R>,
  lookAgain: () => Promise<unknown>,
): Promise<R> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && error.problem.code === 'quote_expired') await lookAgain()
    throw error
  }
}
