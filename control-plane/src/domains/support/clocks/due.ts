import { contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { lockTicket } from '../tickets/store.ts'
import { ANY_DUE, endWatch, isDue, listDue } from '../watches/store.ts'
import { refreshClocks } from './refresh.ts'

const AT_ONCE = 100

/**
 * Checks the goals of tickets once they are near or missed; each is reported once, across all
 * instances.
 */
export const dueGoals = watcher('support.goals', ANY_DUE, async (services, stopped) => {
  const due = await listDue(services.db, AT_ONCE)
  return { tickets: await oneByOne(services, due, (id) => lookAt(services, id), stopped) }
})

const lookAt = (services: Services, id: string): Promise<boolean> =>
  contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
    const ticket = await lockTicket(ctx.db, id)
    if (!ticket) await endWatch(ctx.db, id)
    if (!ticket || !(await isDue(ctx.db, id))) return false
    await refreshClocks(ctx, ticket)
    return true
  })
