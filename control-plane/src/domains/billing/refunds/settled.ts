const MINUTE_MS = 60_000
/** How long after a recorded refund a provider's lower total may still be a stale response. */
const SETTLING_MINUTES = 10

/** A provider reports a lower total than just before: fetch it again later. */
export class NotSettled extends Error {}

/**
 * Accepts a provider's lower total only some time after the last increase.
 * @param at when that was recorded here; null if never
 * @throws {NotSettled} fetch again later
 */
export function requireSettled(now: Date, at: Date | null): void {
  if (at !== null && now.getTime() - at.getTime() < SETTLING_MINUTES * MINUTE_MS)
    throw new NotSettled('The provider says that less went back than before')
}
