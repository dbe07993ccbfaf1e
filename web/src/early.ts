declare global {
  /** Answers that index.html asked for, by endpoint key; undefined where none came. */
  var lodgeEarly: Partial<Record<string, Promise<Response | undefined>>> | undefined
}

/** Later, an answer of the time when the page was opened says nothing any more. */
const GOOD_MS = 15_000

/** The answer to this call when index.html asked for it; each is given out once. */
export function takeEarly(key: string): Promise<Response | undefined> | undefined {
  const asked = globalThis.lodgeEarly?.[key]
  if (asked) delete globalThis.lodgeEarly?.[key]
  return performance.now() < GOOD_MS ? asked : undefined
}
