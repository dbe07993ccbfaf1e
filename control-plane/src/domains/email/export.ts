import type { CsvColumns } from '@lodge/shared/csv.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { CSV_PAGE, pagesAsCsv } from '../../http/csv.ts'
import { type OutboxMessage, type OutboxWanted, pageOfOutbox } from './outbox.ts'

/** Without the content of mails: their links open accounts. */
const COLUMNS: CsvColumns<OutboxMessage> = [
  ['id', ({ id }) => id],
  ['created_at', ({ createdAt }) => createdAt],
  ['to', ({ to }) => to],
  ['subject', ({ subject }) => subject],
  ['template', ({ template }) => template],
  ['state', ({ state }) => state],
  ['attempts', ({ attempts }) => attempts],
  ['last_error', ({ lastError }) => lastError],
  ['smtp_code', ({ smtpCode }) => smtpCode],
  ['message_id', ({ messageId }) => messageId],
  ['ended_at', ({ endedAt }) => endedAt],
]

/** All mails of a filter as CSV. */
export const outboxAsCsv = (
  ctx: Ctx<User>,
  wanted: z.output<typeof OutboxWanted>,
): AsyncGenerator<string> =>
  pagesAsCsv(COLUMNS, (after) => pageOfOutbox(ctx, { ...wanted, after, limit: CSV_PAGE }))
