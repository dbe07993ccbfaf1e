const NAMED_FROM_USE = 3
const MOST_NAMES = 300
/** Longer parameter lists come from lists of ids, whose length rarely repeats. */
const MOST_PARAMETERS = 60

/**
 * Names frequent statements, so that PostgreSQL parses and plans each once per connection instead
 * of once per use. Rare statements and those without parameters get none. The number of names is
 * bounded, because every connection keeps its plans.
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
