import { randomUUIDv7 } from 'node:crypto'
import { type SftpAccess, type SftpPassword, sftpUserName } from '@lodge/shared/sftp.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { requireContainer } from '../files/index.ts'
import { findNode, sftpOf } from '../nodes/index.ts'
import type { SharedServer } from '../servers/index.ts'
import { isOpen } from './admission.ts'
import { hashOf, newPassword } from './credentials.ts'
import * as store from './store.ts'

export async function describeAccess(ctx: Ctx<User>, server: SharedServer): Promise<SftpAccess> {
  const { id, email } = ctx.actor
  requireContainer(server)
  const [password, keys, hostKeys, allowed, node] = await Promise.all([
    store.findPassword(ctx.db, server.id, id),
    store.listKeys(ctx.db, id),
    store.listHostKeys(ctx.db),
    isOpen(ctx, ctx.actor, server),
    findNode(ctx.db, server.nodeId),
  ])
  // The node's own address, where it serves SFTP itself.
  const at = (node && sftpOf(node)) ?? { ...ctx.sftp, hostKeys }
  return {
    host: at.host,
    port: at.port,
    userName: sftpUserName(email, server.id),
    allowed,
    password: password
      ? {
          createdAt: password.createdAt.toISOString(),
          lastUsedAt: password.lastUsedAt?.toISOString() ?? null,
        }
      : null,
    sshKeys: keys.length,
    hostKeys: at.hostKeys.map(({ type, fingerprint }) => ({ type, fingerprint })),
  }
}

/**
 * A new password of the caller for one server; the former one stops working, and its connections end.
 */
export async function makePassword(ctx: Ctx<User>, server: SharedServer): Promise<SftpPassword> {
  requireContainer(server)
  const password = newPassword()
  const { id: userId, email } = ctx.actor
  await ctx.transaction((ctx) =>
    store.putPassword(ctx.db, {
      ...{ id: randomUUIDv7(), userId, serverId: server.id },
      passwordHash: hashOf(password),
    }),
  )
  return { userName: sftpUserName(email, server.id), password }
}

export async function removePassword(ctx: Ctx<User>, server: SharedServer): Promise<void> {
  if (!(await store.deletePassword(ctx.db, server.id, ctx.actor.id))) throw notFound('password')
}
