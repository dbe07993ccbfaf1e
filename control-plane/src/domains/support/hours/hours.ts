import type { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { writeSettings } from '../../settings/index.ts'
import { recomputeAll } from '../watches/store.ts'
import { whileChangingGoals } from '../watches/turns.ts'
import { hoursSettings } from './settings.ts'

/** Changes the business hours; the goals of all open tickets are recomputed. */
export const changeHours = (ctx: Ctx<User>, hours: BusinessHours): Promise<BusinessHours> =>
  ctx.transaction(async ({ db }) => {
    await whileChangingGoals(db)
    await writeSettings(db, hoursSettings, hours)
    await recomputeAll(db)
    return hours
  })
