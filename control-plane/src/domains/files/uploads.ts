import type { Readable } from 'node:stream'
import {
  OFFSET_HEADER,
  UploadPart,
  UploadStart,
  UploadStarted,
  UploadState,
  uploadId,
} from '@lodge/shared/files.ts'
import type { User } from '../../actor.ts'
import { record } from '../../audit/record.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import type { SharedServer } from '../servers/index.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { askJson, askNode } from './node-files.ts'

// tus 1.0.0: core, creation, termination. The node keeps the state, so every instance can continue
// every upload.

const VERSION = '1.0.0'
const NUMBER = /^\d{1,16}$/

export function describe({ reply }: Exchange): void {
  reply
    .header('tus-resumable', VERSION)
    .header('tus-version', VERSION)
    .header('tus-extension', 'creation,termination')
    .header('tus-max-size', MAX_FILE_BYTES)
}

/** Announces an upload. The same file to the same path resumes where it stopped. */
export async function start(ctx: Ctx<User>, server: SharedServer, http: Exchange): Promise<void> {
  const { request, reply } = speakTus(http)
  const given = startOf(request.headers)
  const started = await askJson(UploadStarted, ctx, server, http, {
    method: 'POST',
    path: '/v1/uploads',
    json: given,
    writes: true,
  })
  reply
    .header('location', `/api/servers/${server.id}/files/uploads/${started.uploadId}`)
    .header('upload-offset', started.offsetBytes)
}

export async function state(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  http: Exchange,
): Promise<UploadState> {
  // A browser that opens the URL does not speak tus.
  const { reply } = http.request.method === 'HEAD' ? speakTus(http) : http
  const found = await askJson(UploadState, ctx, server, http, { path: pathOf(id) })
  reply.header('upload-offset', found.offsetBytes).header('upload-length', found.sizeBytes)
  return found
}

export async function receive(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  body: Readable,
  http: Exchange,
): Promise<void> {
  const { request, reply } = speakTus(http)
  const { 'upload-offset': offset, 'content-length': length } = request.headers
  if (typeof offset !== 'string' || !NUMBER.test(offset))
    throw invalid([{ pointer: '/headers/upload-offset', detail: 'must be a number of bytes' }])
  const part = await askJson(UploadPart, ctx, server, http, {
    method: 'PATCH',
    path: pathOf(id),
    headers: { [OFFSET_HEADER]: offset, 'content-length': length },
    body,
    writes: true,
    streams: true,
  })
  reply.header('upload-offset', part.offsetBytes)
  if (part.entry) await recordUpload(ctx, server, part.entry.path, request.id)
}

export async function cancel(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  http: Exchange,
): Promise<void> {
  speakTus(http)
  const answer = await askNode(ctx, server, http, {
    method: 'DELETE',
    path: pathOf(id),
    writes: true,
  })
  answer.body.resume()
}

/** An upload counts as a change once its last part has arrived. */
const recordUpload = (
  ctx: Ctx<User>,
  { id, name }: SharedServer,
  path: string,
  requestId: string,
) =>
  record(ctx, {
    action: 'files.uploaded',
    targetId: id,
    serverId: id,
    requestId,
    detail: { target: name, body: { path } },
  })

export const fileActions = { 'files.uploaded': 'uploaded {path} to {target}' }

/** @throws {Problem} upload_version_unsupported */
function speakTus(http: Exchange): Exchange {
  const { request, reply } = http
  reply.header('tus-resumable', VERSION)
  if (request.headers['tus-resumable'] === VERSION) return http
  reply.header('tus-version', VERSION)
  throw new Problem(
    'upload_version_unsupported',
    `Send the header Tus-Resumable: ${VERSION}, and speak that version of the protocol`,
  )
}

function pathOf(id: string): string {
  if (uploadId.safeParse(id).success) return `/v1/uploads/${id}`
  throw new Problem('file_not_found', 'There is no such upload: it is complete, or was given up')
}

function startOf(headers: Exchange['request']['headers']): UploadStart {
  const { 'upload-length': length, 'upload-metadata': metadata } = headers
  if (typeof length !== 'string' || !NUMBER.test(length))
    throw invalid([{ pointer: '/headers/upload-length', detail: 'must be the number of bytes' }])
  const sizeBytes = Number(length)
  if (sizeBytes > MAX_FILE_BYTES)
    throw new Problem('file_too_large', `A file has at most ${MAX_FILE_BYTES} bytes`)
  const about = metadataOf(metadata)
  const start = UploadStart.safeParse({
    path: about.get('path'),
    sizeBytes,
    ...(about.has('modifiedAt') && { modifiedAt: about.get('modifiedAt') }),
    replace: about.get('replace') === 'true',
  })
  if (start.success) return start.data
  throw invalid(
    start.error.issues.map(({ path, message }) => ({
      pointer: `/headers/upload-metadata/${path.map(String).join('/')}`,
      detail: message,
    })),
  )
}

/** `key base64,key base64` */
function metadataOf(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const pairs = String(header ?? '')
    .split(',')
    .map((pair) => pair.trim().split(' '))
  return new Map(
    pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}
