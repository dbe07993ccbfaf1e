import { MOST_SCHEDULES } from '@lodge/shared/schedules.ts'
import { eq, sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import { schedules } from './tables.ts'

export const scheduleCap = defineCap({
  name: 'schedules of a server',
  most: MOST_SCHEDULES,
  present: (serverId) => sql`select from ${schedules} where ${eq(schedules.serverId, serverId)}`,
  refusal: `A server has at most ${MOST_SCHEDULES} schedules: delete one first`,
})
