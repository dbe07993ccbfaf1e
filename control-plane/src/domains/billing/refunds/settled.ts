const MINUTE_MS = 60_000
/** An answer that was on its way while money was seen to go back is older than that. */
const SETTLING_MINUTES = 10

/** A provider says that less went back than it said just now: it is asked again. */
export class NotSettled extends Error {}

/**
 * Believes a provider that less went back than before only some time after the last of it did.
 * @param at when that was noted here; null if it never was
 * @throws {NotSettled} ask again later
 */
export function requireSettled(now: Date, at: Date | null): void {
  if (at !== null && now.getTime() - at.getTime() < SETTLING_MINUTES * MINUTE_MS)
    throw new NotSettled('The provider says that less went back than before')
}
