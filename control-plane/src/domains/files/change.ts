import type { Readable } from 'node:stream'
import { Entry, type FileDo, FileDone } from '@lodge/shared/files.ts'
import type { ChangeFileModes, MakeFolder, RenameFiles } from '@lodge/shared/server-files.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { invalid } from '../../http/input.ts'
import type { SharedServer } from '../servers/index.ts'
import { askJson } from './node-files.ts'

/** Small work may touch up to 1,000 files. */
const WORK_MS = 60_000
const VERSION = /^"[0-9a-z.-]{1,120}"$/

/** Writes a file as it arrives; the node replaces the old one only when it is complete. */
export async function write(
  ctx: Ctx<User>,
  server: SharedServer,
  path: string,
  body: Readable,
  http: Exchange,
): Promise<Entry> {
  const { headers } = http.request
  const entry = await askJson(Entry, ctx, server, http, {
    method: 'PUT',
    path: '/v1/content',
    query: [['path', path]],
    headers: {
      'if-match': condition('if-match', headers['if-match'], VERSION),
      'if-none-match': condition('if-none-match', headers['if-none-match'], /^\*$/),
      'content-length': headers['content-length'],
    },
    body,
    writes: true,
    streams: true,
  })
  http.reply.header('etag', `"${entry.etag}"`)
  return entry
}

function condition(name: string, value: string | undefined, form: RegExp): string | undefined {
  if (value === undefined || form.test(value)) return value
  const detail =
    name === 'if-match' ? 'must be the etag of one version, in quotation marks' : 'must be *'
  throw invalid([{ pointer: `/headers/${name}`, detail }])
}

/** Small work, which the node finishes before it responds. */
export const doNow = (
  ctx: Ctx<User>,
  server: SharedServer,
  work: FileDo,
  http: Exchange,
): Promise<FileDone> =>
  askJson(FileDone, ctx, server, http, {
    method: 'POST',
    path: '/v1/do',
    json: work,
    writes: true,
    timeoutMs: WORK_MS,
  })

export const makeFolder = (
  ctx: Ctx<User>,
  server: SharedServer,
  { path }: z.output<typeof MakeFolder>,
  http: Exchange,
): Promise<FileDone> => doNow(ctx, server, { do: 'mkdir', path }, http)

export const rename = (
  ctx: Ctx<User>,
  server: SharedServer,
  { moves, replace }: z.output<typeof RenameFiles>,
  http: Exchange,
): Promise<FileDone> => doNow(ctx, server, { do: 'rename', moves, replace }, http)

export const changeModes = (
  ctx: Ctx<User>,
  server: SharedServer,
  { paths, mode }: z.output<typeof ChangeFileModes>,
  http: Exchange,
): Promise<FileDone> => doNow(ctx, server, { do: 'chmod', paths, mode }, http)
