import { NOTHING_BUT_NOTICE, type Restriction } from '@lodge/shared/restriction.ts'
import type { User } from '../../actor.ts'
import type { UserRow } from './tables.ts'

/** What the account may still use while it is suspended; undefined while it is not. */
export const restrictionOf = ({
  state,
  restriction,
}: Pick<UserRow, 'state' | 'restriction'>): Restriction | undefined =>
  state === 'suspended' ? (restriction ?? NOTHING_BUT_NOTICE) : undefined

/** An account acting without a session, with its current rights. */
export const asActor = (user: UserRow): User => {
  const { id, email, role, superAdmin, permissions } = user
  return {
    ...{ kind: 'user', id, email, role, superAdmin },
    permissions: new Set(permissions),
    suspended: restrictionOf(user),
    address: '',
    sessionId: '',
  }
}
