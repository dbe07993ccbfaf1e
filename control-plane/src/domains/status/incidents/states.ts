import type { IncidentState } from '@lodge/shared/status.ts'
import type { IncidentRow } from '../tables.ts'

type Timed = Pick<IncidentRow, 'kind' | 'state' | 'startsAt' | 'endsAt' | 'endedAt' | 'cancelled'>

/**
 * The state of an incident is that of its last update; that of maintenance follows from its times.
 */
export function stateOf(row: Timed, now: Date): IncidentState {
  if (row.state !== null) return row.state
  if (row.cancelled) return 'cancelled'
  if (row.endedAt !== null || (row.endsAt !== null && row.endsAt <= now)) return 'completed'
  return row.startsAt <= now ? 'in_progress' : 'scheduled'
}

const OVER: readonly IncidentState[] = ['resolved', 'completed', 'cancelled']

export const isOver = (row: Timed, now: Date): boolean => OVER.includes(stateOf(row, now))
