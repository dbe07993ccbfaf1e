import type { Ctx } from '../../../context.ts'
import { agentsById } from '../categories/agents-store.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { lastAgentOf, lockGroup, membersInTurn, noteTurn } from './store.ts'

/**
 * The member of a group who gets the next ticket: the one who got one longest ago, or who has the
 * fewest. Null if no member may see tickets.
 */
export async function chooseMember(
  { db, now }: Ctx,
  groupId: string,
  by: 'round_robin' | 'least_open',
): Promise<string | null> {
  if (!(await lockGroup(db, groupId))) return null
  const members = await membersInTurn(db, groupId)
  const able = await agentsById(
    db,
    members.map(({ id }) => id),
  )
  const inTurn = members.filter(({ id }) => able.has(id))
  const least = Math.min(...inTurn.map(({ open }) => open))
  const chosen = by === 'least_open' ? inTurn.find(({ open }) => open === least) : inTurn[0]
  if (!chosen) return null
  await noteTurn(db, groupId, chosen.id, now)
  return chosen.id
}

/** The agent of the requester's previous ticket, if they may still see tickets. */
export async function chooseFormer(
  { db }: Ctx,
  { id, requesterId }: Pick<TicketRow, 'id' | 'requesterId'>,
): Promise<string | null> {
  if (requesterId === null) return null
  const former = await lastAgentOf(db, requesterId, id)
  return former !== null && (await agentsById(db, [former])).has(former) ? former : null
}
