import type { Db } from '../../../db/database.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { findTicket, lastOf } from '../tickets/store.ts'
import type { ParticipantRow, TicketRow } from '../tickets/tables.ts'
import { listParticipants } from '../tickets/thread-store.ts'
import type { Mail } from './mail.ts'
import { isTokenOf, parseReplyAddress } from './reply-address.ts'
import { findTicketByNumber, ticketsOfMails } from './store.ts'

/** The key of all reply addresses. */
export const replyKey = (vault: Pick<Vault, 'sign'>): Buffer =>
  vault.sign('support reply addresses', 'v1')

export interface FoundTicket {
  readonly by: 'token' | 'reference'
  readonly ticket: TicketRow
  /** The participant that the mail is from; undefined if the sender is none. */
  readonly participant: ParticipantRow | undefined
}

/**
 * The ticket that a mail answers: found by the token in a recipient address, otherwise by the mails
 * of ours that it refers to. Never by its subject, which anybody can write.
 */
export async function findAnswered(
  ctx: { readonly db: Db; readonly vault: Vault },
  mail: Mail,
  address: string,
): Promise<FoundTicket | undefined> {
  return (await byToken(ctx, mail, address)) ?? byReference(ctx.db, mail)
}

async function byToken(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  { recipients, from }: Mail,
  address: string,
): Promise<FoundTicket | undefined> {
  const named = recipients.flatMap((one) => parseReplyAddress(address, one) ?? []).slice(0, 5)
  for (const { number, token } of named) {
    const ticket = await findTicketByNumber(db, number)
    if (!ticket) continue
    const { id: ticketId } = ticket
    const owner = (await listParticipants(db, ticketId)).find(({ id, replyEpoch }) =>
      isTokenOf(replyKey(vault), token, { ticketId, participantId: id, epoch: replyEpoch }),
    )
    if (!owner) continue
    const participant = owner.email === from ? owner : undefined
    return { by: 'token', ticket: await lastOf(db, ticket), participant }
  }
  return undefined
}

async function byReference(db: Db, { answers, from }: Mail): Promise<FoundTicket | undefined> {
  const known = await ticketsOfMails(db, answers)
  const id = answers.map((answer) => known.get(answer)).find((found) => found !== undefined)
  const ticket = id === undefined ? undefined : await findTicket(db, id)
  if (!ticket) return undefined
  const people = await listParticipants(db, ticket.id)
  const participant = people.find(({ email }) => email === from)
  return { by: 'reference', ticket: await lastOf(db, ticket), participant }
}
