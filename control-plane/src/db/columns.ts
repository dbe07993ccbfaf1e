import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

/** A point in time, as a `Date`. */
export const moment = (name: string) => timestamp(name, { withTimezone: true })

/** An integer that may exceed 32 bits but never 2^53. */
export const counter = (name: string) => bigint(name, { mode: 'number' })

/** Raw bytes. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
