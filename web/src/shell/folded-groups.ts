const KEY = 'lodge.folded'

/** The groups of the navigation that are collapsed in this browser. */
export function foldedGroups(): readonly string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(',')
  } catch {
    return []
  }
}

export function keepFolded(name: string, folded: boolean): void {
  const others = foldedGroups().filter((one) => one !== name && one !== '')
  try {
    localStorage.setItem(KEY, [...others, ...(folded ? [name] : [])].join(','))
  } catch {
    // Without storage it holds until the next visit.
  }
}
