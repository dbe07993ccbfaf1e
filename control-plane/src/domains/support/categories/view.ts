import type { Category, Group } from '@lodge/shared/support/desk.ts'
import type { Db } from '../../../db/database.ts'
import { listGroups, listMembers } from './store.ts'
import type { CategoryRow } from './tables.ts'

export const categoryOf = ({ createdAt: _, ...row }: CategoryRow): Category => row

/** All groups with their members. */
export async function groupsOf(db: Db): Promise<Group[]> {
  const members = Map.groupBy(await listMembers(db), ({ groupId }) => groupId)
  return (await listGroups(db)).map(({ createdAt: _, ...row }) => {
    const agents = (members.get(row.id) ?? []).map(({ id, email, name }) => ({ id, email, name }))
    return { ...row, members: agents, memberIds: agents.map(({ id }) => id) }
  })
}
