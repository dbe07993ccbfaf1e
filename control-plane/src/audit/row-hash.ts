import { createHash } from 'node:crypto'
import type { auditLog } from './tables.ts'

type Row = typeof auditLog.$inferSelect
export type Hashed = Omit<Row, 'seq' | 'rowHash' | 'seal'>

/** SHA-256 over every field with audit content. */
export function rowHashOf(row: Hashed): Buffer {
  const fields = [
    row.id,
    row.at.toISOString(),
    row.actorKind,
    row.actorId,
    row.actorEmail,
    row.tokenId,
    row.address,
    row.action,
    row.targetId,
    row.serverId,
    row.requestId,
    row.detail,
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}
