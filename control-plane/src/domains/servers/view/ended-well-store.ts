import { isCleanExit } from '@lodge/shared/server-status.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { ServerRow } from '../tables.ts'

/** Whether a server that exited by itself exited successfully. */
export const endedWell = ({
  failure,
  lastExit,
}: Pick<ServerRow, 'failure' | 'lastExit'>): boolean =>
  failure === null && lastExit !== null && isCleanExit(lastExit)

/** The same as an SQL condition on rows of `servers s`, for counting and filtering. */
export const ENDED_WELL: SQL<boolean> = sql`(s.failure is null and s.last_exit is not null
  and s.last_exit->>'code' = '0' and s.last_exit->>'signal' is null
  and not (s.last_exit->>'outOfMemory')::boolean)`
