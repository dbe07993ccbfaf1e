import { isDuplicate } from '../../db/database.ts'
import { Problem } from '../../problem.ts'

/**
 * The error to throw when writing an account fails: the refusal for a taken address, or the error
 * itself.
 */
export function emailTaken(error: unknown): unknown {
  if (!isDuplicate(error, 'users_email')) return error
  return new Problem(
    'duplicate',
    'An account with this e-mail address already exists: use another address',
    { fields: { errors: [{ pointer: '/email', detail: 'is taken' }] } },
  )
}
