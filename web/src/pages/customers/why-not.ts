import type { Customer } from '@lodge/shared/accounts.ts'
import { t } from './words.ts'

/** Why nobody can sign in with an account yet; undefined when its customer can, or could. */
export const whyClosed = ({ state }: Customer): string | undefined =>
  state === 'unverified' || state === 'pending' ? t.notOpenYet : undefined

/** Why a customer cannot be suspended; undefined when they can. */
export const whyNotSuspended = (customer: Customer): string | undefined =>
  customer.state === 'suspended' ? t.alreadySuspended : whyClosed(customer)

/** Why a customer cannot be deleted; undefined when they can. */
export const whyNotDeleted = ({ servers }: Customer): string | undefined =>
  servers > 0 ? t.deleteServersFirst({ count: servers }) : undefined
