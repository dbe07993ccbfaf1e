import { isDuplicate } from '../../db/database.ts'
import { Problem } from '../../problem.ts'

/** What to throw when an account could not be written: the refusal for an address that is taken, or the same. */
export function emailTaken(error: unknown): unknown {
  if (!isDuplicate(error, 'users_email')) return error
  return new Problem(
    'duplicate',
    'An account with this e-mail address exists already: use another address',
    { fields: { errors: [{ pointer: '/email', detail: 'is taken' }] } },
  )
}
