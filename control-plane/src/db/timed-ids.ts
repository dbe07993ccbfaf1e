import { type SQL, sql } from 'drizzle-orm'

// Identifiers that control planes make begin with their creation time in milliseconds (RFC 9562, UUID
// version 7), so a primary key doubles as an index by time.

/** The lowest identifier that can be generated at this time (Unix milliseconds). */
export function lowestIdAt(milliseconds: number): string {
  const hex = Math.min(Math.max(0, Math.floor(milliseconds)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time at which an identifier was made. */
export const madeAt = (id: SQL): SQL =>
  sql`to_timestamp(('x' || lpad(left(replace(${id}::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)`
