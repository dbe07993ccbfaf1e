import { posix } from 'node:path'
import { Entry } from '@lodge/shared/files.ts'
import type { DownloadFiles, ReadFile } from '@lodge/shared/server-files.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { savedAs } from '../../http/saved-as.ts'
import type { SharedServer } from '../servers/index.ts'
import { type Answered, askJson, askNode, strange } from './node-files.ts'

/** Pictures that cannot run scripts in any browser; everything else is previewed as text. */
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
}
const ARCHIVES = {
  zip: 'application/zip',
  'tar.gz': 'application/gzip',
  'tar.zst': 'application/zstd',
} as const
const ONE_RANGE = /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/
const RANGE_SENT = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/
const ETAG = /^"[0-9a-z.-]{1,120}"$/

/** Sends a file, or a part of it. All headers are set here; only their values come from the node. */
export async function readFile(
  ctx: Ctx<User>,
  server: SharedServer,
  { path, preview }: z.output<typeof ReadFile>,
  http: Exchange,
): Promise<void> {
  const { request, reply } = http
  const query = [['path', path]] as const
  const { 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  const known =
    ifRange === undefined && ifNoneMatch === undefined
      ? undefined
      : `"${(await askJson(Entry, ctx, server, http, { path: '/v1/stat', query })).etag}"`
  if (ifNoneMatch !== undefined && ifNoneMatch === known) {
    reply.code(304).header('etag', known).send()
    return
  }
  // A range of another version would not fit the caller's part.
  const fits = ifRange === undefined || ifRange === known
  const range =
    fits && ONE_RANGE.test(request.headers.range ?? '') ? request.headers.range : undefined
  const answer = await askNode(ctx, server, http, {
    path: '/v1/content',
    query,
    headers: { range },
    streams: true,
  })
  const head = headOf(answer, range !== undefined)
  const shown = preview === 'true'
  const type = PICTURES[posix.extname(path).toLowerCase()] ?? 'text/plain; charset=utf-8'
  reply
    .code(answer.status)
    .headers({ ...head, ...savedAs(shown ? 'inline' : 'attachment', posix.basename(path)) })
    .type(shown ? type : 'application/octet-stream')
    .header('accept-ranges', 'bytes')
    .send(answer.body)
}

/** Sends files and folders as an archive, which the node writes while it is sent. */
export async function downloadFiles(
  ctx: Ctx<User>,
  server: SharedServer,
  { path, format }: z.output<typeof DownloadFiles>,
  http: Exchange,
): Promise<void> {
  const paths = [path].flat()
  const [first = '/'] = paths
  const base = paths.length === 1 && first !== '/' ? posix.basename(first) : server.name
  const name = `${base}.${format}`
  const answer = await askNode(ctx, server, http, {
    path: '/v1/archive',
    query: [...paths.map((one) => ['path', one] as const), ['format', format]],
    streams: true,
  })
  http.reply.headers(savedAs('attachment', name)).type(ARCHIVES[format]).send(answer.body)
}

/** @throws {Problem} node_protocol_error */
function headOf({ status, headers, body }: Answered, ranged: boolean): Record<string, string> {
  const length = Number(headers['content-length'])
  const changedMs = Date.parse(String(headers['last-modified']))
  const { etag } = headers
  const part = RANGE_SENT.exec(String(headers['content-range']))
  const right =
    Number.isSafeInteger(length) &&
    length >= 0 &&
    typeof etag === 'string' &&
    ETAG.test(etag) &&
    Number.isFinite(changedMs) &&
    (status === 200 || (status === 206 && ranged && part !== null))
  if (!right) {
    body.destroy()
    throw strange()
  }
  return {
    'content-length': String(length),
    'last-modified': new Date(changedMs).toUTCString(),
    etag,
    ...(status === 206 && part && { 'content-range': `bytes ${part[1]}-${part[2]}/${part[3]}` }),
  }
}
