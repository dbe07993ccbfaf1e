import { sql } from 'drizzle-orm'
import { users } from '../customers/tables.ts'
import { passkeys, totpFactors } from './tables.ts'

/** An administrator whose second factor is overdue. For customers nothing is looked up. */
export const FACTOR_OVERDUE = sql`${users.role} = 'admin' and coalesce(${users.factorDueAt} <= now(), true)
  and not exists (select 1 from ${totpFactors} f where f.user_id = ${users.id} and f.confirmed_at is not null)
  and not exists (select 1 from ${passkeys} k where k.user_id = ${users.id})`
