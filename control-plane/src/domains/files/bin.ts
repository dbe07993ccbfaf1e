import {
  BinDeleted,
  BinDropped,
  BinList,
  type BinPick,
  BinRestored,
  type DeletedFiles,
  type ListDeleted,
} from '@lodge/shared/deleted-files.ts'
import { KEEPS_DELETED } from '@lodge/shared/node-abilities.ts'
import type { DeleteFiles, FilesDeleted } from '@lodge/shared/server-files.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { Problem } from '../../problem.ts'
import { emailsOf } from '../customers/index.ts'
import { findNode } from '../nodes/index.ts'
import type { SharedServer } from '../servers/index.ts'
import { readSettings, selfServiceSettings } from '../settings/index.ts'
import { requireFiles } from './access.ts'
import { doNow } from './change.ts'
import { askJson } from './node-files.ts'

/** Deleting measures folders first, and may touch 1,000 of them. */
const WORK_MS = 60_000

/** Whether the agent of the server's node has a bin; earlier versions do not. */
export const keepsDeleted = async (
  { db }: Pick<Ctx, 'db'>,
  { nodeId }: SharedServer,
): Promise<boolean> => (await findNode(db, nodeId))?.capabilities.includes(KEEPS_DELETED) ?? false

/**
 * Deletes files: into the bin, or for good if requested. Each disappears atomically.
 * @throws {Problem} too_large_for_bin if they are meant for the bin and there is none
 */
export async function remove(
  ctx: Ctx<User>,
  server: SharedServer,
  { paths, permanent }: z.output<typeof DeleteFiles>,
  http: Exchange,
): Promise<FilesDeleted> {
  const { deletedFilesDays: days } = await readSettings(ctx.db, selfServiceSettings)
  const keeps = permanent !== true && days > 0 && (await keepsDeleted(ctx, server))
  if (!keeps) {
    if (permanent === false) throw await notKept(ctx, server)
    const { items } = await doNow(ctx, server, { do: 'delete', paths }, http)
    return { items, deletionId: null }
  }
  const otherwise = permanent === false ? 'refuse' : 'delete'
  const { deletionId } = await askJson(BinDeleted, ctx, server, http, {
    method: 'POST',
    path: '/v1/bin',
    json: { paths, by: ctx.actor.id, days, otherwise },
    writes: true,
    timeoutMs: WORK_MS,
  })
  return { items: [], deletionId }
}

/** Why nothing is kept in a bin; checked after every other reason to refuse. */
async function notKept(ctx: Ctx<User>, server: SharedServer): Promise<Problem> {
  await requireFiles(ctx, server, true)
  return new Problem(
    'too_large_for_bin',
    'Deleted files of this server are not kept: delete it for good instead',
  )
}

export async function list(
  ctx: Ctx<User>,
  server: SharedServer,
  { after, limit }: z.output<typeof ListDeleted>,
  http: Exchange,
): Promise<DeletedFiles> {
  await requireFiles(ctx, server, false)
  if (!(await keepsDeleted(ctx, server))) return { items: [], nextAfter: null, usedBytes: 0 }
  const query = [
    ['after', after],
    ['limit', String(limit)],
  ] as const
  const found = await askJson(BinList, ctx, server, http, { path: '/v1/bin', query })
  const emails = await emailsOf(
    ctx.db,
    found.items.flatMap(({ by }) => by ?? []),
  )
  return {
    ...found,
    items: found.items.map(({ by, ...item }) => ({
      ...item,
      deletedBy: emails.get(by ?? '') ?? null,
    })),
  }
}

/** Requests a change of the bin from the node. */
async function change<S extends z.ZodType>(
  schema: S,
  { ctx, server, http }: { ctx: Ctx<User>; server: SharedServer; http: Exchange },
  path: string,
  json: object,
): Promise<z.output<S>> {
  await requireFiles(ctx, server, true)
  if (!(await keepsDeleted(ctx, server)))
    throw new Problem('file_not_found', 'Deleted files of this server are not kept')
  return askJson(schema, ctx, server, http, {
    method: 'POST',
    path: `/v1/bin/${path}`,
    json,
    writes: true,
    timeoutMs: WORK_MS,
  })
}

type About = Parameters<typeof change>[1]

export const restore = (about: About, picked: z.output<typeof BinPick>): Promise<BinRestored> =>
  change(BinRestored, about, 'restore', picked)

export const drop = (about: About, picked: z.output<typeof BinPick>): Promise<BinDropped> =>
  change(BinDropped, about, 'delete', picked)

export const empty = (about: About): Promise<BinDropped> => change(BinDropped, about, 'empty', {})
