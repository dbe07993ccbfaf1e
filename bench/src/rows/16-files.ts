import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import { speedOf, watchMemory } from '../measure/transfers.ts'
import type { Row } from '../row.ts'
import { cpuOf, type FileStage, fileStage } from '../stage/file-stage.fixture.ts'
import { writeNoise } from '../stage/noise.ts'
import { startProgram } from '../stage/program.ts'

/** As the panel sends a file. */
const PART_BYTES = 8 * 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0' }

const SMALL_BYTES = 4096
const WARM_MIB = 16
/** As many uploads at once as a browser makes to one host. */
const AT_ONCE = 6

/**
 * One large file to a server and back through the panel, and many small ones to it; compared with
 * node:http on the same disk.
 */
export const files: Row = {
  number: 16,
  name: 'file.up and file.down',
  seconds: 3_600,
  async run(bench) {
    const mib = bench.long ? 1024 : 128
    const smallFiles = bench.long ? 10_000 : 200
    const stage = await fileStage(bench)
    const { serverId, data } = await stage.make(mib * 4)
    const file = path.join(stage.folder, 'noise')
    await writeNoise(file, mib)
    const limit = bench.ending.add(
      await startProgram(
        ['bench/src/limits/bare-files.ts', data],
        {},
        (line) => typeof line.port === 'number',
      ),
      (one) => one.end(),
    )
    const bare = `http://127.0.0.1:${limit.ready.port}/bare`
    const { pid } = stage.side.plane.program
    const whole = (response: http.IncomingMessage) => arrived(response, mib)
    // What any transfer needs is there before: what grows with the file is asked.
    const warm = path.join(stage.folder, 'warm')
    await writeNoise(warm, WARM_MIB)
    await upload(stage, serverId, warm)
    await arrived(await download(stage, serverId), WARM_MIB)
    const memory = watchMemory(pid)
    const cpu = cpuOf(stage, mib)
    const times = await interleave(bench.long ? 7 : 5, {
      bareUp: () => timed(async () => done(await ask(bare, { method: 'PUT' }, sent(file)))),
      up: () => cpu.weighed('upload', () => timed(() => upload(stage, serverId, file))),
      bareDown: () => timed(async () => whole(await ask(bare))),
      down: () =>
        cpu.weighed('download', () => timed(async () => whole(await download(stage, serverId)))),
    })
    const grown = memory()
    const { origin } = stage.side.plane
    const small = (url: (name: string) => string) => () =>
      timed(() => putMany(smallFiles, url, { cookie: stage.cookie, origin }))
    const many = await interleave(bench.long ? 3 : 5, {
      bare: small((name) => bare.replace(/bare$/, name)),
      ours: small((name) => `${origin}/api/servers/${serverId}/files/content?path=%2F${name}`),
    })
    const limitName = 'bare node:http'
    return [
      speedOf('upload', { mib, ours: times.up, limit: times.bareUp, limitName, atLeast: 0.5 }),
      speedOf('download', {
        mib,
        ours: times.down,
        limit: times.bareDown,
        limitName,
        atLeast: 0.5,
      }),
      ...cpu.findings(),
      {
        what: `upload of ${smallFiles} files of 4 KiB: time / ${limitName}`,
        value: medianRatio(many.ours, many.bare, (milliseconds) => milliseconds),
        unit: 'x',
        detail: { ms: median(many.ours), 'the limit, ms': median(many.bare) },
      },
      grown,
    ]
  },
}

const sent = (file: string) => createReadStream(file, { highWaterMark: 512 * 1024 })
const agent = new http.Agent({ keepAlive: true })

/** Sends a request; throws on any response but a success. */
async function ask(
  url: string,
  given: http.RequestOptions = {},
  body?: Buffer | Readable,
): Promise<http.IncomingMessage> {
  const request = http.request(url, { agent, ...given })
  const answered = new Promise<http.IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).on('error', reject),
  )
  if (body instanceof Readable) await pipeline(body, request)
  else request.end(body)
  const response = await answered
  if ((response.statusCode ?? 500) >= 300)
    throw new Error(`${given.method} ${url} answered ${response.statusCode}`)
  return response
}

const done = (response: http.IncomingMessage): Promise<void> => arrived(response, 0)

async function arrived(response: http.IncomingMessage, mib: number): Promise<void> {
  let bytes = 0
  for await (const part of response) bytes += (part as Buffer).byteLength
  if (bytes !== mib * 1024 * 1024) throw new Error(`${bytes} bytes arrived instead of ${mib} MiB`)
}

/** In parts, each sent when the one before has been answered. */
async function upload({ side, cookie }: FileStage, serverId: string, file: string): Promise<void> {
  const { origin } = side.plane
  const headers = { ...TUS, cookie, origin }
  const given = await open(file)
  try {
    const { size } = await given.stat()
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const announced = await ask(`${origin}/api/servers/${serverId}/files/uploads`, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': size,
        'upload-metadata': `path ${base64('/big')},replace ${base64('true')}`,
      },
    })
    await done(announced)
    const url = new URL(String(announced.headers.location), origin).href
    for (let at = 0; at < size; at += PART_BYTES) {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
      await given.read(part, 0, part.byteLength, at)
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': at }
      await done(await ask(url, { method: 'PATCH', headers: { ...headers, ...type } }, part))
    }
  } finally {
    await given.close()
  }
}

/** Small files, some at once. */
async function putMany(
  count: number,
  urlOf: (name: string) => string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const body = Buffer.alloc(SMALL_BYTES, 'small')
  const type = { 'content-type': 'application/octet-stream', 'content-length': SMALL_BYTES }
  let next = 0
  const sender = async () => {
    while (next < count) {
      const url = urlOf(`small-${next++}`)
      // The answer names the file.
      for await (const _ of await ask(
        url,
        { method: 'PUT', headers: { ...headers, ...type } },
        body,
      ));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
}

const download = ({ side, cookie }: FileStage, serverId: string): Promise<http.IncomingMessage> =>
  ask(`${side.plane.origin}/api/servers/${serverId}/files/content?path=%2Fbig`, {
    headers: { cookie },
  })
