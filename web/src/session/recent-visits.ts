/** A recently opened page about one thing. */
export interface Visit {
  readonly path: string
  readonly label: string
  /** The entry of the navigation to which it belongs, e.g. `Servers`. */
  readonly kind: string
}

const KEY = 'lodge.recent'
const MOST = 8

interface Kept {
  readonly of: string
  readonly visits: readonly Visit[]
}

/** The pages that this person opened recently in this browser, newest first. */
export function recentVisits(userId: string): readonly Visit[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null
    return kept?.of === userId ? kept.visits : []
  } catch {
    return []
  }
}

/** Adds a page at the front; of pages about the same thing only the newest is kept. */
export function keepVisit(userId: string, visit: Visit): void {
  const others = recentVisits(userId).filter(
    ({ label, kind }) => label !== visit.label || kind !== visit.kind,
  )
  const kept: Kept = { of: userId, visits: [visit, ...others].slice(0, MOST) }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage nothing is recent.
  }
}

/** Forgets them, e.g. when somebody signs out. */
export function forgetVisits(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // There was nothing.
  }
}
