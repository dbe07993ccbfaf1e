import { randomUUIDv7 } from 'node:crypto'
import type { AddSshKey, SshKey } from '@lodge/shared/sftp.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { requireFree } from '../../db/cap.ts'
import { notFound, Problem } from '../../problem.ts'
import { readPublicKey } from './public-key.ts'
import * as store from './store.ts'

const describe = (row: store.SshKeyRow): SshKey => ({
  id: row.id,
  name: row.name,
  type: row.type as SshKey['type'],
  fingerprint: row.fingerprint,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export const listKeys = async (ctx: Ctx<User>): Promise<{ items: SshKey[] }> => ({
  items: (await store.listKeys(ctx.db, ctx.actor.id)).map(describe),
})

export async function addKey(ctx: Ctx<User>, { name, publicKey }: AddSshKey): Promise<SshKey> {
  const { type, fingerprint, line } = readPublicKey(publicKey)
  return ctx.transaction(async (ctx) => {
    const { id: userId, email } = ctx.actor
    await requireFree(ctx.db, store.sshKeyCap, userId)
    const row = await store.insertKey(ctx.db, {
      ...{ id: randomUUIDv7(), userId, name, type, fingerprint },
      publicKey: line,
    })
    if (!row) throw new Problem('duplicate', 'This account has this key already')
    await ctx.emit('account.ssh_key_added', { userId, email, name, fingerprint })
    return describe(row)
  })
}

/** Connections made with it end within a second. */
export async function removeKey(ctx: Ctx<User>, id: string): Promise<void> {
  if (!(await store.deleteKey(ctx.db, ctx.actor.id, id))) throw notFound('SSH key')
}
