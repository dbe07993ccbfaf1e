const LEAST_MS = 200
const MOST_MS = 15_000
/** A node that is not known any more is seldom known again. */
const MOST_REFUSED_MS = 600_000

/**
 * How long to wait before another try. Anywhere between the least and a bound that doubles with each
 * try, so that many agents that lost the same control plane do not come back at the same moment.
 * @param tries failed tries so far, 0 for the first
 * @param random from 0 to 1
 * @param refused the control plane answered, and does not accept this node
 */
export function backoffMs(tries: number, random: number, refused = false): number {
  const most = Math.min(
    refused ? MOST_REFUSED_MS : MOST_MS,
    LEAST_MS * 2 ** Math.min(tries + 1, 16),
  )
  return Math.round(LEAST_MS + random * (most - LEAST_MS))
}
