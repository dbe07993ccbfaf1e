import { lockScope, shareScope } from '../../../db/advisory-locks.ts'
import type { Db } from '../../../db/database.ts'

const SCOPE = 'support goals'

/**
 * Changing hours or tiers and computing goals exclude each other, so that no ticket keeps goals
 * computed from former hours.
 */
export const whileChangingGoals = (db: Db): Promise<void> => lockScope(db, SCOPE)

/** Keeps hours and tiers unchanged until the transaction ends. */
export const whileComputingGoals = (db: Db): Promise<void> => shareScope(db, SCOPE)
