import {
  type Attachment,
  type AttachmentForm,
  MAX_MESSAGE_FILES_BYTES,
  MAX_TICKET_FILES_BYTES,
} from '@lodge/shared/attachments.ts'
import type { z } from 'zod'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { Problem } from '../../../problem.ts'
import { attachmentsOf, sendAttachment, sendWith } from '../../attachments/index.ts'
import { isPublic, TICKET_MESSAGE } from './messages.ts'
import { isStaff } from './reader.ts'
import { findMessage, messageIds } from './thread-store.ts'

const MIB = 1024 * 1024

/** Attaches uploaded files to a message, in its transaction. */
export async function sendFiles(
  ctx: Ctx<User>,
  ids: readonly string[],
  { ticketId, messageId }: { readonly ticketId: string; readonly messageId: string },
): Promise<void> {
  if (ids.length === 0) return
  await sendWith(ctx, ids, { kind: TICKET_MESSAGE, id: messageId })
  const files = await attachmentsOf(ctx.db, TICKET_MESSAGE, await messageIds(ctx.db, ticketId))
  if (bytesIn(files.get(messageId) ?? []) > MAX_MESSAGE_FILES_BYTES)
    throw new Problem(
      'payload_too_large',
      `The files of a message may take ${MAX_MESSAGE_FILES_BYTES / MIB} MiB together: send some with another message`,
    )
  if (bytesIn([...files.values()].flat()) > MAX_TICKET_FILES_BYTES)
    throw new Problem(
      'payload_too_large',
      `The files of a ticket may take ${MAX_TICKET_FILES_BYTES / MIB} MiB together: open another ticket for more`,
    )
}

const bytesIn = (files: readonly Attachment[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/**
 * Sends a file of a message that the caller may see, or one that they have uploaded for a message.
 */
export const readFile = (
  ctx: Ctx<User>,
  ticketId: string | undefined,
  asked: { readonly id: string; readonly form: z.output<typeof AttachmentForm> },
  http: Exchange,
): Promise<void> =>
  sendAttachment(
    ctx,
    {
      ...asked,
      kind: TICKET_MESSAGE,
      async mayRead(messageId) {
        const message = await findMessage(ctx.db, messageId)
        if (!message || message.ticketId !== ticketId) return false
        return isStaff(ctx.actor) || isPublic(message)
      },
    },
    http,
  )
