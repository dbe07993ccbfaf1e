const KEY = 'lodge.factor-strip'

/** Within this time before the deadline the reminder stays. */
const LAST_HOURS_MS = 6 * 3_600_000

const dayOf = (now: Date): string => `${now.getFullYear()}-${now.getMonth()}-${now.getDate()}`

/** Whether this person has put the reminder off today, and the deadline leaves time for that. */
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
