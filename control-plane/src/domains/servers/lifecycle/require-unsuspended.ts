import { Problem } from '../../../problem.ts'
import type { UserRow } from '../../customers/index.ts'

/**
 * Refuses anything new for a suspended account: it would run although the account's servers are
 * stopped.
 * @throws {Problem} conflict
 */
export function requireUnsuspended({ state, email }: UserRow): void {
  if (state !== 'suspended') return
  throw new Problem('conflict', `The account ${email} is suspended: lift the suspension first`)
}
