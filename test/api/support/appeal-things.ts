import { Readable } from 'node:stream'
import type { Lodge } from '../../support/stack.ts'

/** A file that a customer attached to an appeal. */
export async function appealFileOf(lodge: Lodge, customerId: string): Promise<string> {
  const { sha256 } = await lodge.controlPlane.services.blobs.put(
    Readable.from([Buffer.from('x')]),
    {
      maxBytes: 1,
    },
  )
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `with suspension as (
       insert into suspensions (id, customer_id, reason_code, public_reason, options, started_at, lifted_at)
       values (gen_random_uuid(), $1, 'other', '', '{}', now(), now()) returning id),
     appeal as (
       insert into appeals (id, suspension_id, state, opened_at, decided_at)
       select gen_random_uuid(), id, 'withdrawn', now(), now() from suspension returning id),
     message as (
       insert into appeal_messages (id, appeal_id, sender, text)
       select gen_random_uuid(), id, 'customer', 'x' from appeal returning id)
     insert into attachments (id, message_kind, message_id, name, type, size_bytes, sha256)
     select gen_random_uuid(), 'appeal', id, 'x.txt', 'text/plain', 1, $2 from message returning id`,
    [customerId, sha256],
  )
  return rows[0]?.id ?? ''
}
