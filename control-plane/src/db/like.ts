/**
 * A text as a pattern of `like` that matches only this text.
 * @param stars whether `*` in it matches anything
 */
export function likePattern(text: string, { stars = false } = {}): string {
  const literal = text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
  return stars ? literal.replaceAll('*', '%') : literal
}
