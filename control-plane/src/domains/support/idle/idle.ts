import type { DeskSettings } from '@lodge/shared/support/desk.ts'
import { RATING_DAYS } from '@lodge/shared/support/transitions.ts'
import { contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { periodicTask, watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { type Cause, type Change, changeTicket } from '../tickets/change.ts'
import { lockTicket } from '../tickets/store.ts'
import { ANY_SNOOZE_OVER, type Deadlines, type Due, isDue, listDue } from './store.ts'

const MINUTE_MS = 60_000
/** How long after an agent's solution the customer is asked for a rating. */
const RATING_AFTER_MINUTES = 60

const SYSTEM = { kind: 'system', id: null } as const

/** What happens to a due ticket, and the cause in its history. */
const DOES: Readonly<Record<Due, { cause: Cause['kind']; change: (now: Date) => Change }>> = {
  snooze_over: { cause: 'snooze_over', change: () => ({ snoozedUntil: null }) },
  reminded: { cause: 'reminded', change: (now) => ({ remindedAt: now }) },
  solved: { cause: 'inactive', change: () => ({ status: 'solved' }) },
  closed: { cause: 'inactive', change: () => ({ status: 'closed' }) },
  rating_asked: { cause: 'rating_asked', change: (now) => ({ ratingAskedAt: now }) },
}

/** Ends snoozes that are over. */
export const endSnoozes = watcher('support.snooze_over', ANY_SNOOZE_OVER, async (services) => ({
  back: await run(services, 'snooze_over', deadlinesOf(NOTHING_ELSE, new Date())),
}))

const NOTHING_ELSE = {
  ...{ remindAfterMinutes: null, autoSolveMinutes: null, autoCloseMinutes: null, askRating: false },
}

/** Reminds customers who do not answer, solves and closes idle tickets, and asks for ratings. */
export const endIdleTickets = periodicTask('support.idle', 60, async (services) => {
  const at = deadlinesOf(await readSettings(services.db, deskSettings), new Date())
  return {
    // In this order, so that a ticket solved for silence gets no reminder.
    solved: await run(services, 'solved', at),
    closed: await run(services, 'closed', at),
    reminded: await run(services, 'reminded', at),
    asked: await run(services, 'rating_asked', at),
  }
})

function deadlinesOf(
  given: Pick<
    DeskSettings,
    'remindAfterMinutes' | 'autoSolveMinutes' | 'autoCloseMinutes' | 'askRating'
  >,
  now: Date,
): Deadlines {
  const ago = (minutes: number | null) =>
    minutes === null ? null : new Date(now.getTime() - minutes * MINUTE_MS)
  return {
    now,
    remind: ago(given.remindAfterMinutes),
    solve: ago(given.autoSolveMinutes),
    close: ago(given.autoCloseMinutes),
    rate: given.askRating ? ago(RATING_AFTER_MINUTES) : null,
    rateFrom: new Date(now.getTime() - RATING_DAYS * 1440 * MINUTE_MS),
  }
}

/** Each ticket in its own transaction; another instance may have handled it already. */
async function run(services: Services, due: Due, at: Deadlines): Promise<number> {
  return await oneByOne(services, await listDue(services.db, due, at), (id) =>
    contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
      const ticket = await lockTicket(ctx.db, id)
      if (!ticket || !(await isDue(ctx.db, id, due, at))) return false
      const { cause, change } = DOES[due]
      await changeTicket(ctx, ticket, change(ctx.now), { kind: cause, by: SYSTEM })
      return true
    }),
  )
}
