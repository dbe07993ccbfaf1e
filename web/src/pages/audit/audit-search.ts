export interface AuditSearch {
  actor?: string
  target?: string
  /** By this person or about them. */
  person?: string
  /** A part of the action. */
  action?: string
  address?: string
  /** Words, names or addresses. */
  q?: string
  /** Include entries that changed nothing. */
  looks?: true | undefined
  from?: string
  to?: string
}

/** Days in the browser's time zone: from the start of the first to the end of the last. */
export const queryOf = (search: AuditSearch) => {
  const { actor, target, person, action, address, q, looks, from, to } = search
  return {
    ...(actor ? { actorId: actor } : {}),
    ...(target ? { targetId: target } : {}),
    ...(person ? { personId: person } : {}),
    ...(action ? { action } : {}),
    ...(address ? { address } : {}),
    ...(q ? { q } : {}),
    ...(looks ? {} : { only: 'changes' as const }),
    ...(from ? { from: new Date(`${from}T00:00:00`).toISOString() } : {}),
    ...(to ? { to: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
  }
}

/** Without empty filters, so that the URL stays short. */
export const given = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== '' && value !== undefined),
  )

export type Period = 'any' | 'today' | 'week' | 'month' | 'between'

/** A day before `now` in the browser's time zone, as `2026-01-31`. */
export function daysAgo(days: number, now: Date): string {
  const day = new Date(now)
  day.setDate(day.getDate() - days)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** The preset that the chosen days correspond to. */
export function periodOf({ from, to }: AuditSearch, now: Date): Period {
  if (!from && !to) return 'any'
  if (to) return 'between'
  if (from === daysAgo(0, now)) return 'today'
  if (from === daysAgo(6, now)) return 'week'
  return from === daysAgo(29, now) ? 'month' : 'between'
}
