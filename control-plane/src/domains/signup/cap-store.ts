import { sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import { signupInvites } from './tables.ts'

export const inviteCap = defineCap({
  name: 'invitation codes',
  most: 500,
  present: () => sql`select from ${signupInvites}`,
  refusal: 'There are already 500 invitations: revoke those that are used up or have expired',
})
