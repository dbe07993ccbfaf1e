import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

/** A point in time, as a `Date`. */
export const moment = (name: string) => timestamp(name, { withTimezone: true })

/** A whole number that outgrows 32 bits and never 2^53. */
export const counter = (name: string) => bigint(name, { mode: 'number' })

/** Raw bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
