import { HEALTHS, type Health, type MinuteState } from '@lodge/shared/status.ts'
import type { Db } from '../../../db/database.ts'
import { type Measured, measure } from './now-store.ts'

export interface Now {
  readonly measured: Health | null
  /** Includes incidents and maintenance; null while unknown. */
  readonly state: MinuteState | null
}

/** The state of every component now, by its id. */
export async function healthNow(db: Db): Promise<ReadonlyMap<string, Now>> {
  const rows = await measure(db)
  return new Map(rows.map((row) => [row.id, { measured: row.measured, state: stateOf(row) }]))
}

/**
 * Planned maintenance overrides everything else; otherwise the worse of what is measured and what
 * incidents report.
 */
function stateOf({ measured, published, maintenance }: Omit<Measured, 'id'>): MinuteState | null {
  if (maintenance) return 'maintenance'
  if (measured === null || published === null) return measured ?? published
  return HEALTHS.indexOf(measured) > HEALTHS.indexOf(published) ? measured : published
}
