import { isCleanExit } from '@lodge/shared/server-status.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { ServerRow } from './tables.ts'

/** Whether what ended by itself ended because it was done, and nothing went wrong. */
export const endedWell = ({
  failure,
  lastExit,
}: Pick<ServerRow, 'failure' | 'lastExit'>): boolean =>
  failure === null && lastExit !== null && isCleanExit(lastExit)

/** The same as a condition on rows of `servers s`, for what counts or picks many. */
export const ENDED_WELL: SQL<boolean> = sql`(s.failure is null and s.last_exit is not null
  and s.last_exit->>'code' = '0' and s.last_exit->>'signal' is null
  and not (s.last_exit->>'outOfMemory')::boolean)`
