import { deleteOldKeys } from '../../http/store.ts'
import { keeper } from '../../jobs/keeper.ts'
import { deleteExpiredChallenges, deleteOldFailures } from './factor-store.ts'
import { deleteEndedSessions, deleteFullBudgets } from './store.ts'

export const authKeepers = [
  keeper('sessions.expire', 300, async ({ db }) => ({
    sessions: await deleteEndedSessions(db),
    challenges: await deleteExpiredChallenges(db),
    failures: await deleteOldFailures(db),
    budgets: await deleteFullBudgets(db),
    idempotencyKeys: await deleteOldKeys(db),
  })),
]
