import { posix } from 'node:path'
import { json } from 'node:stream/consumers'
import { ArchiveRefusal, type ArchiveRequest } from '@lodge/shared/backup-work.ts'
import { standingMark, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { savedAs } from '../../http/saved-as.ts'
import { Problem } from '../../problem.ts'
import { rightsMark, type SharedServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { requireWhole } from './able.ts'
import { browseBackup, readable, refused } from './contents.ts'
import { whyNoDownload } from './downloads.ts'
import { openRepository } from './repositories.ts'
import { backupSettings } from './settings.ts'

const TYPES = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.zst': 'application/zstd',
} as const

/**
 * Sends a backup or a folder of it as an archive, or a file of it unchanged. The node produces it
 * while it is read.
 */
export async function downloadBackup(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  { format, path }: Pick<ArchiveRequest, 'format' | 'path'>,
  { request, reply }: Exchange,
): Promise<void> {
  const refusal = whyNoDownload(ctx, await readSettings(ctx.db, backupSettings))
  if (refusal !== null)
    throw new Problem('permission_required', `${refusal}: ask the host`, {
      fields: { permission: 'servers.backups' },
    })
  requireWhole(ctx, server)
  const { repositoryId, snapshotId, nodeId, name } = await readable(ctx, server, backupId)
  const isFile = path !== '/' && (await kindOf(ctx, server, backupId, path)) === 'file'
  const repository = await openRepository(ctx, repositoryId, { nodeId, access: 'read' })
  // For a single file a node sends the bytes; a format would only compress them.
  const asked: ArchiveRequest = { repository, snapshotId, path, format: isFile ? 'tar' : format }
  const gone = new AbortController()
  request.raw.socket.once('close', () => gone.abort(new Error('the caller left')))
  const { sessionId } = ctx.actor
  const answer = await ctx.fleet.callNode({
    nodeId,
    serverId: server.id,
    kind: 'backup',
    userKey: ctx.actor.id,
    ...(sessionId !== undefined && { sessionKey: sessionId }),
    standing: standingMark(ctx.actor),
    ...(server.rights && { rights: rightsMark(server.rights) }),
    writes: false,
    long: true,
    method: 'POST',
    path: '/v1/archive',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(asked)),
    gone: gone.signal,
  })
  if (answer.status !== 200) throw refused(ArchiveRefusal.parse(await json(answer.body)))
  const part = posix.basename(path)
  const whole = path === '/' ? name : `${name} - ${part}`
  const file = isFile ? part : `${whole.replaceAll(/[/\\:]/g, '-')}.${format}`
  reply
    .headers(savedAs('attachment', file))
    .type(isFile ? 'application/octet-stream' : TYPES[format])
    .send(answer.body)
}

/** @throws {Problem} not_found */
async function kindOf(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  path: string,
): Promise<'file' | 'folder'> {
  const { items, truncated } = await browseBackup(ctx, server, backupId, posix.dirname(path))
  const kind = items.find((item) => item.path === path)?.kind
  if (kind === 'file' || kind === 'folder') return kind
  const detail = truncated
    ? 'Its folder has too many entries to find one of them: download the folder'
    : 'The backup has no such file or folder'
  throw new Problem('not_found', detail)
}
