/**
 * The scope in which an object of a provider is fetched and taken over: an older state must not be taken
 * over after a newer one.
 */
export const paymentTurn = (provider: string, ref: string): string =>
  `payment ${ref} at ${provider}`
