import {
  Entry,
  FileList,
  FileSpace,
  FileUsage,
  SEARCH_SECONDS,
  SearchLine,
  SPACE_SECONDS,
} from '@lodge/shared/files.ts'
import { MEASURES_SPACE } from '@lodge/shared/node-abilities.ts'
import type { FilesFound, ListFiles, SearchFiles, SpaceOf } from '@lodge/shared/server-files.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { Problem } from '../../problem.ts'
import { findNode } from '../nodes/index.ts'
import type { SharedServer } from '../servers/index.ts'
import { requireFiles } from './access.ts'
import { keepsDeleted } from './bin.ts'
import { askJson, askNode, parse, strange, textOf } from './node-files.ts'

const SEARCH_MS = (SEARCH_SECONDS + 10) * 1_000
const SPACE_MS = (SPACE_SECONDS + 10) * 1_000
const MAX_FOUND_BYTES = 16 * 1024 * 1024

export function list(
  ctx: Ctx<User>,
  server: SharedServer,
  { path, after, limit }: z.output<typeof ListFiles>,
  http: Exchange,
): Promise<FileList> {
  const query = [
    ['path', path],
    ['after', after],
    ['limit', String(limit)],
  ] as const
  return askJson(FileList, ctx, server, http, { path: '/v1/list', query })
}

export const stat = (
  ctx: Ctx<User>,
  server: SharedServer,
  path: string,
  http: Exchange,
): Promise<Entry> =>
  askJson(Entry, ctx, server, http, { path: '/v1/stat', query: [['path', path]] })

export async function usage(
  ctx: Ctx<User>,
  server: SharedServer,
  http: Exchange,
): Promise<FileUsage> {
  const bin = (await keepsDeleted(ctx, server)) ? 'true' : undefined
  return askJson(FileUsage, ctx, server, http, { path: '/v1/usage', query: [['bin', bin]] })
}

/**
 * What takes the space of a folder.
 * @throws {Problem} unsupported_on_node for an agent of before
 */
export async function space(
  ctx: Ctx<User>,
  server: SharedServer,
  { path }: z.output<typeof SpaceOf>,
  http: Exchange,
): Promise<FileSpace> {
  await requireFiles(ctx, server, false)
  const node = await findNode(ctx.db, server.nodeId)
  if (!node?.capabilities.includes(MEASURES_SPACE))
    throw new Problem(
      'unsupported_on_node',
      'The agent of this node is too old for this: update it',
    )
  const query = [['path', path]] as const
  return askJson(FileSpace, ctx, server, http, { path: '/v1/space', query, timeoutMs: SPACE_MS })
}

export async function search(
  ctx: Ctx<User>,
  server: SharedServer,
  given: z.output<typeof SearchFiles>,
  http: Exchange,
): Promise<FilesFound> {
  const answer = await askNode(ctx, server, http, {
    method: 'POST',
    path: '/v1/search',
    json: given,
    timeoutMs: SEARCH_MS,
  })
  const lines = (await textOf(answer, MAX_FOUND_BYTES))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parse(SearchLine, line))
  const last = lines.pop()
  const items = lines.flatMap((line) => ('done' in line ? [] : [line]))
  // Without its last line the response was cut off.
  if (!last || !('done' in last) || items.length !== lines.length) throw strange()
  return { items: items.slice(0, given.limit), truncated: last.truncated }
}
