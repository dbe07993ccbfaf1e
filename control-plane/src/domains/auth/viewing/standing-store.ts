import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '../../customers/tables.ts'
import { FACTOR_OVERDUE } from '../overdue-factor-store.ts'
import { sessions } from '../tables.ts'
import { viewings } from './tables.ts'

/** The account being viewed; `users` is the account of the session. */
export const viewed = alias(users, 'viewed')

/** The permission to view as a customer. */
const VIEW_AS = 'customers.view_as' satisfies AdminPermission

/** States in which an account can sign in, and so has a panel to view. */
export const VIEWABLE_STATES: readonly string[] = ['active', 'suspended']

const words = (list: readonly string[]) => sql.raw(list.map((one) => `'${one}'`).join(', '))

/**
 * Whether a viewing is still valid: its time, its session, the administrator's rights and the
 * customer's account. Every request checks it, so losing any of them ends the viewing immediately. It
 * has no parameters, because the query of a periodic task contains it too.
 */
export const STANDS = sql`${viewings.expiresAt} > now() and ${sessions.expiresAt} > now()
  and ${users.role} = 'admin' and ${users.state} = 'active'
  and (${users.superAdmin} or ${words([VIEW_AS])} = any(${users.permissions}))
  and ${viewed.role} = 'customer' and ${viewed.state} in (${words(VIEWABLE_STATES)})
  and not (${FACTOR_OVERDUE})`
