import { z } from 'zod'
import type { Ctx } from '../context.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../db/cursor.ts'
import * as store from './store.ts'
import type { ActionCatalogue } from './words.ts'

export const AuditEntry = z.object({
  seq: z.int(),
  id: z.uuid(),
  at: z.iso.datetime(),
  actor: z.object({
    kind: z.enum(['user', 'token', 'plugin', 'system']),
    id: z.uuid().nullable(),
    email: z.string().nullable(),
    tokenId: z.uuid().nullable(),
  }),
  address: z.string().nullable(),
  action: z.string(),
  /** What was done, phrased to follow the actor's name. */
  what: z.string(),
  targetId: z.uuid().nullable(),
  serverId: z.uuid().nullable(),
  requestId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  sealed: z.boolean(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

function describe(row: store.AuditRow, actions: ActionCatalogue): AuditEntry {
  const detail = JSON.parse(row.detail) as Record<string, unknown>
  return {
    seq: row.seq,
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, email: row.actorEmail, tokenId: row.tokenId },
    address: row.address,
    action: row.action,
    what: actions.wordsFor(row.action, detail),
    targetId: row.targetId,
    serverId: row.serverId,
    requestId: row.requestId,
    detail,
    sealed: row.seal !== null,
  }
}

export async function pageOfAudit(
  ctx: Ctx,
  filter: store.AuditFilter,
  page: { after?: string | undefined; limit: number },
): Promise<{ items: AuditEntry[]; nextCursor: string | null }> {
  const position = decodeCursor(page.after)
  if (position && !/^\d{1,15}$/.test(position[0])) throw invalidCursor()
  const before = position && Number(position[0])
  const { actions } = ctx.catalogue
  const rows = await store.listAudit(ctx.db, actions, filter, before, page.limit + 1)
  const items = rows.slice(0, page.limit)
  const last = items.at(-1)
  const nextCursor =
    rows.length > page.limit && last ? encodeCursor([String(last.seq), last.id]) : null
  return { items: items.map((row) => describe(row, actions)), nextCursor }
}

const AT_ONCE = 500
/** All matching entries, newest first, as JSON lines. */
export async function* exportLines(ctx: Ctx, filter: store.AuditFilter): AsyncGenerator<string> {
  const { actions } = ctx.catalogue
  let before: number | undefined
  for (;;) {
    const rows = await store.listAudit(ctx.db, actions, filter, before, AT_ONCE)
    if (rows.length > 0)
      yield rows.map((row) => `${JSON.stringify(describe(row, actions))}\n`).join('')
    before = rows.at(-1)?.seq
    if (rows.length < AT_ONCE) return
  }
}
