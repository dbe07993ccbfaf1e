import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const REPOSITORY = '7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a03'

/** Repositories on nodes stay as they are, and backups are their owners' own. */
export const upgrade: Upgrade = {
  before: [
    `insert into backup_repositories (id, owner_id, node_id, place, address, password)
     select '${REPOSITORY}', users.id, nodes.id, 'node', 'node', '\\x00'
     from users, nodes where users.email = 'ada@example.com' and nodes.name = 'node one'`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select nodes.name, place, storage_node_id from backup_repositories
       join nodes on nodes.id = node_id where backup_repositories.id = '${REPOSITORY}'`,
    )
    expect(rows).toEqual([{ name: 'node one', place: 'node', storage_node_id: null }])
    const { rows: hosts } = await pool.query('select 1 from server_backups where by_host')
    expect(hosts).toEqual([])
  },
}
