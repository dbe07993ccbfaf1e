import { contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { periodicTask } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { lockTicket } from '../tickets/store.ts'
import { listIdle, noteIdle } from './idle-store.ts'
import { runThese } from './run.ts'
import { findRule } from './store.ts'

const AT_ONCE = 200

/** Runs the rules about idle tickets, each once for each idle spell. */
export const idleRules = periodicTask('support.idle_rules', 30, async (services, stopped) => {
  const idle = await listIdle(services.db, AT_ONCE)
  const run = ({ ruleId, ticketId }: (typeof idle)[number]) => runIdle(services, ruleId, ticketId)
  return { tickets: await oneByOne(services, idle, run, stopped) }
})

const runIdle = (services: Services, ruleId: string, ticketId: string): Promise<boolean> =>
  contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
    if (!(await lockTicket(ctx.db, ticketId))) return false
    if (!(await noteIdle(ctx.db, ruleId, ticketId))) return false
    const rule = await findRule(ctx.db, ruleId)
    if (rule) await runThese(ctx, ticketId, [rule])
    return true
  })
