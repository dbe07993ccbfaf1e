import { eq, sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import { users } from '../customers/tables.ts'

export const teamCap = defineCap({
  name: 'administrators',
  most: 200,
  present: () => sql`select from ${users} where ${eq(users.role, 'admin')}`,
  refusal: 'There are already 200 administrators: remove one first',
})
