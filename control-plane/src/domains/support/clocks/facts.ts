import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import type { Db } from '../../../db/database.ts'
import type { Fact, State } from './clocks.ts'
import { listAnswers, listMoves, type Move } from './history-store.ts'

/** The events in a ticket's history that its clocks depend on, in order. */
export async function factsOf(db: Db, ticketId: string): Promise<Fact[]> {
  const answers = (await listAnswers(db, ticketId)).map(
    ({ at, byAgent }): Fact => ({
      ...{ atMs: at.getTime(), what: byAgent ? 'agent_reply' : 'customer_message' },
    }),
  )
  return [...answers, ...statesOf(await listMoves(db, ticketId))].sort((a, b) => a.atMs - b.atMs)
}

function statesOf(moves: readonly Move[]): Fact[] {
  let status: TicketStatus = 'new'
  let snoozed = false
  return moves.map(({ at, change }) => {
    if (change.status) {
      status = change.status.to
      // A change of status ends a snooze.
      snoozed = false
    }
    if (change.snoozedUntil) snoozed = change.snoozedUntil.to !== null
    return { atMs: at.getTime(), what: 'state', state: stateOf(status, snoozed) }
  })
}

function stateOf(status: TicketStatus, snoozed: boolean): State {
  if (status === 'solved' || status === 'closed') return 'solved'
  return snoozed || status === 'pending' || status === 'on_hold' ? 'waiting' : 'running'
}
