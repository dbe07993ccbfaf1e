const KEY = 'lodge.factor-strip'

/** When the deadline is closer than this, the reminder cannot be dismissed. */
const LAST_HOURS_MS = 6 * 3_600_000

const dayOf = (now: Date): string => `${now.getFullYear()}-${now.getMonth()}-${now.getDate()}`

/** Whether this person has dismissed the reminder today, and the deadline is far enough away. */
export function isPutOff(id: string, dueAt: string | null, now: Date): boolean {
  if (dueAt === null || Date.parse(dueAt) - now.getTime() < LAST_HOURS_MS) return false
  try {
    return localStorage.getItem(KEY) === `${id} ${dayOf(now)}`
  } catch {
    return false
  }
}

export function putOff(id: string, now: Date): void {
  try {
    localStorage.setItem(KEY, `${id} ${dayOf(now)}`)
  } catch {
    // Without storage it is hidden until the next visit.
  }
}
