import { MAX_TIERS } from '@lodge/shared/support/tiers.ts'
import { sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { supportTiers } from './tables.ts'

export const tierCap = defineCap({
  name: 'support tiers',
  most: MAX_TIERS,
  present: () => sql`select from ${supportTiers}`,
  refusal: `There are already ${MAX_TIERS} tiers: delete some first`,
})
