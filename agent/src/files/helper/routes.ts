import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import {
  ArchiveFormat,
  FileDo,
  FileSearch,
  MAX_LIST,
  OFFSET_HEADER,
  UploadStart,
} from '@lodge/shared/files.ts'
import { archive } from './archive.ts'
import type { Bin } from './bin/bin.ts'
import { binRoutes } from './bin/routes.ts'
import { openContent, rangeOf } from './content.ts'
import { list, stat } from './list.ts'
import type { Asker } from './place.ts'
import type { Quota } from './quota.ts'
import {
  type Ask,
  accessOf,
  answer,
  bodyAs,
  type Handler,
  header,
  invalidRequest,
  pathOf,
  pathsOf,
} from './requests.ts'
import { search } from './search.ts'
import { sendPart } from './send-part.ts'
import { doSmall } from './small-work.ts'
import { spaceOf } from './space.ts'
import type { Tree } from './tree.ts'
import type { Uploads } from './uploads.ts'
import { receive, runWork } from './work-request.ts'
import { writeFile } from './write.ts'

export interface Parts {
  readonly tree: Tree
  readonly quota: Quota
  readonly uploads: Uploads
  readonly bin: Bin
}

const ID = '([A-Za-z0-9_-]{1,64})'

export function routes({ tree, quota, uploads, bin }: Parts): readonly Handler[] {
  const askerOf = ({ request }: Ask): Asker => ({ tree, access: accessOf(request) })
  const on = (method: string, path: string, run: Handler['run']): Handler => ({
    method,
    path: new RegExp(`^/v1/${path}$`),
    run,
  })
  return [
    on('GET', 'list', (ask) => {
      const { query, response } = ask
      const limit = Number(query.get('limit') ?? MAX_LIST)
      if (!Number.isInteger(limit) || limit < 1) throw invalidRequest('The limit is not possible.')
      answer(response, 200, list(askerOf(ask), pathOf(query), query.get('after'), limit))
    }),
    on('GET', 'stat', (ask) => answer(ask.response, 200, stat(askerOf(ask), pathOf(ask.query)))),
    on('GET', 'content', (ask) => sendContent(askerOf(ask), ask)),
    on('PUT', 'content', async (ask) => {
      const { request, response, query } = ask
      const { headers } = request
      const expected = headers['if-match']
      quota.require(Number(headers['content-length'] ?? 0))
      const entry = await writeFile(askerOf(ask), quota, {
        path: pathOf(query),
        body: request,
        condition: {
          etag: expected === undefined ? null : expected.replace(/^(W\/)?"|"$/g, ''),
          absent: headers['if-none-match'] === '*',
        },
        mode: 0o644,
        make: true,
      })
      answer(response, 200, entry)
    }),
    on('POST', 'do', async (ask) => {
      const asker = askerOf(ask)
      const items = await doSmall(asker, quota, await bodyAs(ask.request, FileDo))
      answer(ask.response, 200, { items })
    }),
    on('POST', 'uploads', async (ask) => {
      const asker = askerOf(ask)
      answer(ask.response, 201, uploads.start(asker, await bodyAs(ask.request, UploadStart)))
    }),
    on('GET', `uploads/${ID}`, (ask, id) =>
      answer(ask.response, 200, uploads.state(askerOf(ask), id)),
    ),
    on('PATCH', `uploads/${ID}`, async (ask, id) => {
      const { request, response } = ask
      const offset = Number(header(request.headers, OFFSET_HEADER) ?? Number.NaN)
      if (!Number.isSafeInteger(offset)) throw invalidRequest('The offset is missing.')
      const end = () => request.destroy()
      answer(response, 200, await uploads.write(askerOf(ask), id, offset, request, end))
    }),
    on('DELETE', `uploads/${ID}`, async (ask, id) => {
      await uploads.drop(askerOf(ask), id)
      ask.response.writeHead(204).end()
    }),
    on('GET', 'archive', (ask) => sendArchive(askerOf(ask), ask)),
    on('POST', 'search', async (ask) => {
      const asker = askerOf(ask)
      const asked = await bodyAs(ask.request, FileSearch)
      const lines = search(asker, asked, ask.signal)
      // The first line before the head, so that a refusal is an answer of its own.
      const first = await lines.next()
      ask.response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      await pipeline(async function* () {
        if (!first.done) yield `${JSON.stringify(first.value)}\n`
        for await (const line of lines) yield `${JSON.stringify(line)}\n`
      }, ask.response)
    }),
    on('GET', 'usage', (ask) => {
      accessOf(ask.request)
      // A control plane of before the bin takes nothing that it does not know.
      const binBytes = ask.query.has('bin') ? { binBytes: bin.usedBytes } : {}
      answer(ask.response, 200, { ...quota.usage(), ...binBytes })
    }),
    on('GET', 'space', async (ask) => {
      answer(ask.response, 200, await spaceOf(askerOf(ask), pathOf(ask.query), ask.signal))
    }),
    ...binRoutes(bin, on, askerOf),
    on('POST', `tasks/${ID}`, (ask, id) => runWork({ tree, quota }, ask, id)),
    on('PUT', `tasks/${ID}`, (ask, id) => receive({ tree, quota }, ask, id)),
  ]
}

async function sendContent(asker: Asker, ask: Ask): Promise<void> {
  const { query, request, response, signal } = ask
  const content = openContent(asker, pathOf(query))
  const size = Number(content.stats.size)
  let range: ReturnType<typeof rangeOf>
  try {
    range = rangeOf(request.headers.range, size)
  } catch (error) {
    content.close()
    throw error
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  response.writeHead(range ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'last-modified': new Date(Number(content.stats.mtimeMs)).toUTCString(),
    etag: `"${content.etag}"`,
    ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  try {
    await sendPart(content.fd, { start, end }, response, signal)
    response.end()
  } finally {
    content.close()
  }
}

const TYPES = {
  'tar.gz': 'application/gzip',
  'tar.zst': 'application/zstd',
  zip: 'application/zip',
} as const

async function sendArchive(asker: Asker, { query, response, signal }: Ask): Promise<void> {
  const format = ArchiveFormat.safeParse(query.get('format'))
  if (!format.success) throw invalidRequest('The format is unknown.')
  const given = { paths: pathsOf(query), format: format.data, signal, skipped: () => {} }
  const stream = archive(asker, given)
  // Something to send before the head, so that a refusal is an answer of its own.
  await once(stream, 'readable')
  response.writeHead(200, { 'content-type': TYPES[format.data] })
  await pipeline(stream, response)
}
