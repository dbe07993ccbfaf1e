declare global {
  /** Responses that index.html requested, by endpoint key; undefined when the request failed. */
  var lodgeEarly: Partial<Record<string, Promise<Response | undefined>>> | undefined
}

/** After this, an early response is out of date. */
const GOOD_MS = 15_000

/** The early response to this call, if index.html requested it; each is used once. */
export function takeEarly(key: string): Promise<Response | undefined> | undefined {
  const asked = globalThis.lodgeEarly?.[key]
  if (asked) delete globalThis.lodgeEarly?.[key]
  return performance.now() < GOOD_MS ? asked : undefined
}
