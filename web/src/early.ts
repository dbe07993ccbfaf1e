declare global {
  /** Responses that index.html requested, by address; undefined when the request failed. */
  var lodgeEarly: Partial<Record<string, Promise<Response | undefined>>> | undefined
}

/** After this, an early response is out of date. */
const GOOD_MS = 15_000

/** The early response from this address, if index.html requested it; each is used once. */
export function takeEarly(url: string): Promise<Response | undefined> | undefined {
  const asked = globalThis.lodgeEarly?.[url]
  if (asked) delete globalThis.lodgeEarly?.[url]
  return performance.now() < GOOD_MS ? asked : undefined
}
