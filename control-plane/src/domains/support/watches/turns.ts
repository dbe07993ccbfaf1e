import { lockScope, shareScope } from '../../../db/advisory-locks.ts'
import type { Db } from '../../../db/database.ts'

const SCOPE = 'support goals'

/**
 * Whoever changes hours or tiers waits for those who compute goals by the ones before, and these for
 * them: no ticket keeps goals of hours that have gone.
 */
export const whileChangingGoals = (db: Db): Promise<void> => lockScope(db, SCOPE)

/** Keeps hours and tiers as they are until the transaction ends. */
export const whileComputingGoals = (db: Db): Promise<void> => shareScope(db, SCOPE)
