import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Only adds indexes: `foreign-keys.test.ts` says why. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query<{ name: string }>(
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indisvalid and c.relname = any($1) order by name`,
      [[...ADDED]],
    )
    expect(rows.map(({ name }) => name)).toEqual(ADDED.toSorted())
  },
}

const ADDED = [
  ...['console_tickets_server', 'console_tickets_user', 'email_messages_user'],
  ...['machines_image', 'machines_profile', 'server_collaborators_inviter'],
  ...['server_invitations_inviter', 'signup_invites_creator', 'signup_invites_plan'],
  ...['signups_plan', 'vm_boot_grants_node', 'vm_moves_other_node'],
]
