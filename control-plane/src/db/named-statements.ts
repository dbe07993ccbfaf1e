const NAMED_FROM_USE = 3
const MOST_NAMES = 300
/** Longer lists of parameters come from lists of ids, hardly ever twice in the same length. */
const MOST_PARAMETERS = 60

/**
 * Names for the statements that come again and again, so that PostgreSQL parses and plans each of them
 * once per connection instead of once per use. What comes a few times only, and what has no
 * parameters, gets none. The number of names is bounded, since every connection keeps its plans.
 */
export function statementNames(): (text: string, parameters: number) => string | undefined {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  return (text, parameters) => {
    if (parameters === 0 || parameters > MOST_PARAMETERS) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_NAMES) return known
    const count = (uses.get(text) ?? 0) + 1
    if (count < NAMED_FROM_USE) {
      if (uses.size >= 10 * MOST_NAMES) uses.clear()
      uses.set(text, count)
      return undefined
    }
    uses.delete(text)
    const name = `lodge_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
