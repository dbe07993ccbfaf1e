import { isDeepStrictEqual } from 'node:util'
import type { Node } from '@lodge/shared/nodes.ts'
import type { SftpReport } from '@lodge/shared/sftp-nodes.ts'
import type { Agent } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { findNode, lockNode, updateNode } from './store.ts'
import type { NodeRow } from './tables.ts'

export function describeSftp({ sftpPort, sftp }: NodeRow): Node['sftp'] {
  const isOpen = sftpPort !== null && sftp?.port === sftpPort
  return {
    port: sftpPort,
    open: isOpen,
    why: sftpPort === null || isOpen ? null : (sftp?.why ?? null),
    hostKeys: sftp?.hostKeys ?? [],
  }
}

/** Where a node serves SFTP itself; undefined where connections go through the control plane. */
export function sftpOf(
  row: NodeRow,
): { host: string; port: number; hostKeys: SftpReport['hostKeys'] } | undefined {
  const host = row.address ?? row.remoteAddress
  const { port, open, hostKeys } = describeSftp(row)
  return open && port !== null && host !== null ? { host, port, hostKeys } : undefined
}

/** Stores the agent's report of its port. */
export async function reportSftp(ctx: Ctx<Agent>, report: SftpReport): Promise<void> {
  const { nodeId } = ctx.actor
  await ctx.transaction(async (ctx) => {
    await lockNode(ctx.db, nodeId)
    const row = await findNode(ctx.db, nodeId)
    if (!row) throw notFound('node')
    if (isDeepStrictEqual(row.sftp, report)) return
    await updateNode(ctx.db, nodeId, { sftp: report })
    await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
  })
}
