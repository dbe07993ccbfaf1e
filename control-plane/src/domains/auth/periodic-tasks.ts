import { contextFor } from '../../context.ts'
import { deleteFullBudgets, deleteOldKeys } from '../../http/store.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { deleteExpiredFormerAddresses } from '../customers/index.ts'
import { deleteExpiredChallenges, deleteOldFailures } from './factors/factor-store.ts'
import { deleteExpiredAccountTokens } from './links/store.ts'
import { sendResets } from './recovery/passwords.ts'
import { ANY_RESET_REQUEST } from './recovery/store.ts'
import { deleteForgottenDevices } from './sessions/device-store.ts'
import { deleteEndedSessions } from './store.ts'
import { ANY_VIEWING_OVER, deleteOldViewings } from './viewing/store.ts'
import { endViewingsOver } from './viewing/viewing.ts'

export const authPeriodicTasks = [
  periodicTask('sessions.expire', 300, async ({ db }) => ({
    sessions: await deleteEndedSessions(db),
    viewings: await deleteOldViewings(db),
    challenges: await deleteExpiredChallenges(db),
    failures: await deleteOldFailures(db),
    budgets: await deleteFullBudgets(db),
    accountTokens: await deleteExpiredAccountTokens(db),
    formerAddresses: await deleteExpiredFormerAddresses(db),
    devices: await deleteForgottenDevices(db),
    idempotencyKeys: await deleteOldKeys(db),
  })),
  watcher('auth.viewings', ANY_VIEWING_OVER, async (services) => ({
    viewings: await endViewingsOver(contextFor(services, { kind: 'system' })),
  })),
  watcher('auth.resets', ANY_RESET_REQUEST, async (services) => ({
    resets: await sendResets(contextFor(services, { kind: 'system' })),
  })),
]
