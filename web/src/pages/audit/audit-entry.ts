import type { Reply } from '../../api.ts'

export type AuditEntry = Reply<'GET /api/audit'>['items'][number]
