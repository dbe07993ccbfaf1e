/** The most of a question of the page of a plugin, and of its answer, as JSON. */
export const MAX_PAGE_JSON_BYTES = 64 * 1024

/** Whether a value is so small as JSON; one that is nested too deeply to be written is not. */
export function isSmallJson(value: unknown, mostBytes: number): boolean {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length <= mostBytes
  } catch {
    return false
  }
}
