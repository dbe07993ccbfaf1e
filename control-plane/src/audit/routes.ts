import { Readable } from 'node:stream'
import { z } from 'zod'
import { pageOf, pageQuery } from '../db/cursor.ts'
import { get } from '../http/endpoint.ts'
import { Verification, verifyRecord } from './verify.ts'
import { AuditEntry, exportLines, pageOfAudit } from './view.ts'

const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional()
const filter = {
  actorId: z.uuid().optional(),
  targetId: z.uuid().optional(),
  serverId: z.uuid().optional(),
  /** Entries by this person or about them. */
  personId: z.uuid().optional(),
  action: z.string().trim().max(100).optional(),
  /** Searches wording, names and addresses of entries. */
  q: z.string().trim().max(100).optional(),
  address: z.string().trim().max(45).optional(),
  /** `changes` omits entries that changed nothing, such as opened consoles. */
  only: z.enum(['changes']).optional(),
  from: moment,
  to: moment,
}

export const listAudit = get('/api/audit', {
  summary: 'Who changed what, the newest first',
  access: { who: 'admin', may: 'audit.view' },
  query: z.object({ ...pageQuery, ...filter }),
  reply: pageOf(AuditEntry),
  handle: ({ ctx, query }) => pageOfAudit(ctx, query, query),
})

export const verifyAudit = get('/api/audit/verify', {
  summary: 'Whether the record is as it was written',
  access: { who: 'admin', may: 'audit.view' },
  reply: Verification,
  handle: ({ ctx }) => verifyRecord(ctx),
})

export const exportAudit = get('/api/audit/export', {
  summary: 'The record as lines of JSON',
  access: { who: 'admin', may: 'audit.view' },
  query: z.object(filter),
  streams: 'application/x-ndjson',
  handle: async ({ ctx, query, http }) => {
    http.reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit.ndjson"')
      .send(Readable.from(exportLines(ctx, query)))
  },
})
