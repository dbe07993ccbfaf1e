import { randomUUID } from 'node:crypto'
import { NO_GOALS } from '@lodge/shared/support/tiers.ts'
import type { Lodge } from '../../support/stack.ts'
import type { Overrides } from './samples.ts'

/** A tier that no plan has. */
export async function tierOf({ database }: Lodge): Promise<string> {
  const id = randomUUID()
  const goals = { low: NO_GOALS, normal: NO_GOALS, high: NO_GOALS, urgent: NO_GOALS }
  await database.pool.query(
    `insert into support_tiers (id, name, calendar, goals) values ($1, $2, 'always', $3)`,
    [id, id, goals],
  )
  return id
}

/** Bodies about the support desk that no schema alone describes. */
export const deskBodies: Overrides = {
  'POST /api/support/articles/{slug}/vote': () => ({ helpful: true }),
  'PUT /api/support/tiers/{id}': () => ({ name: randomUUID(), goals: {} }),
  'PUT /api/support/hours': () => ({ timeZone: 'UTC', week: {}, holidays: [] }),
}
