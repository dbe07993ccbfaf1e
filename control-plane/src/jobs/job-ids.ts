import { type SQL, sql } from 'drizzle-orm'

// Ids of jobs begin with the millisecond of their making (UUID version 7), so their primary key is
// also an index by time.

/** The lowest id that a job made at this moment (Unix milliseconds) can have. */
export function lowestJobId(milliseconds: number): string {
  const hex = Math.min(Math.max(0, Math.floor(milliseconds)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** When a job was made, from its id. */
export const madeAt = (id: SQL): SQL =>
  sql`to_timestamp(('x' || lpad(left(replace(${id}::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)`
