import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settingsOf } from '../options.ts'
import { mediaCache } from './cache.ts'

const CONTENT = Buffer.alloc(300_000, 'a medium of some size ')
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')
const HALF = 100_000
const { signal } = new AbortController()

let folder = ''
let server: http.Server
let host = ''
let answer: http.RequestListener
let ranges: (string | undefined)[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-media-'))
  ranges = []
  server = http.createServer((request, response) => {
    ranges.push(request.headers.range)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  host = `127.0.0.1:${address.port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** The media of a driver that allows these hosts. */
function cacheFor(allowedHosts: readonly string[]) {
  const mediaFolder = join(folder, 'media')
  const egress = { allowedHosts, authorities: [] }
  return mediaCache(settingsOf({ dataRoot: folder, mediaFolder, egress }))
}
const mediumAt = (url: string) =>
  ({ sha256: SHA256, url, kind: 'raw', sizeBytes: CONTENT.length }) as const
const fetched = async (url: string, allowedHosts: readonly string[]) =>
  readFile(await cacheFor(allowedHosts).fetch(mediumAt(url), () => {}, signal))
const partSize = async () => (await stat(join(folder, 'media', `${SHA256}.part`))).size

/** Sends half of it, and hangs up once some of that has been stored. */
const breaksOff: http.RequestListener = async (_request, response) => {
  response.writeHead(200, { 'content-length': CONTENT.length })
  response.write(CONTENT.subarray(0, HALF))
  await vi.waitFor(async () => expect(await partSize()).toBeGreaterThan(0), { interval: 5 })
  response.destroy()
}

describe('a medium', () => {
  it('is downloaded from a private host only where that is allowed', async () => {
    answer = (_request, response) => response.end(CONTENT)
    const refusal = {
      code: 'medium_unavailable',
      retryable: false,
      message: expect.stringContaining('LODGE_EGRESS_HOSTS'),
    }
    const { port } = new URL(`http://${host}`)
    for (const url of [`http://${host}/x`, `https://${host}/x`, `https://localhost:${port}/x`])
      await expect(fetched(url, []), url).rejects.toMatchObject(refusal)
    expect(ranges).toEqual([])
    expect(await fetched(`http://${host}/x`, [host])).toEqual(CONTENT)
  })

  it('is not followed through a redirect to a private address', async () => {
    let reached = false
    const inside = http.createServer((_request, response) => {
      reached = true
      response.end(CONTENT)
    })
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    const address = inside.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    for (const location of [
      `http://127.0.0.1:${address.port}/`,
      `https://localhost:${address.port}/`,
    ]) {
      answer = (_request, response) => response.writeHead(302, { location }).end()
      await expect(fetched(`http://${host}/x`, [host])).rejects.toMatchObject({
        code: 'medium_unavailable',
        retryable: false,
      })
    }
    expect(reached).toBe(false)
    inside.close()
  })

  it('resumes where an interrupted download stopped', async () => {
    answer = breaksOff
    await expect(fetched(`http://${host}/x`, [host])).rejects.toMatchObject({
      code: 'medium_unavailable',
      retryable: true,
    })
    const had = await partSize()
    expect(had).toBeGreaterThan(0)
    answer = (_request, response) =>
      response
        .writeHead(206, {
          'content-range': `bytes ${had}-${CONTENT.length - 1}/${CONTENT.length}`,
        })
        .end(CONTENT.subarray(had))
    expect(await fetched(`http://${host}/x`, [host])).toEqual(CONTENT)
    expect(ranges).toEqual([undefined, `bytes=${had}-`])
  })

  it('starts over when the server ignores the range', async () => {
    answer = breaksOff
    await expect(fetched(`http://${host}/x`, [host])).rejects.toThrow()
    // The partial file may have different content than the new answer.
    await writeFile(join(folder, 'media', `${SHA256}.part`), Buffer.alloc(200_000, 'other'))
    answer = (_request, response) => response.end(CONTENT)
    expect(await fetched(`http://${host}/x`, [host])).toEqual(CONTENT)
    expect(ranges).toEqual([undefined, 'bytes=200000-'])
  })

  it('is requested from the start when the server rejects the range', async () => {
    answer = breaksOff
    await expect(fetched(`http://${host}/x`, [host])).rejects.toThrow()
    answer = (request, response) =>
      request.headers.range
        ? response.writeHead(416, { 'content-range': `bytes */${HALF}` }).end()
        : response.end(CONTENT)
    expect(await fetched(`http://${host}/x`, [host])).toEqual(CONTENT)
  })

  it('is downloaded by one of those who waited for a download that was cancelled', async () => {
    const halves: http.ServerResponse[] = []
    answer = (request, response) => {
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const range = `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}`
      response.writeHead(from > 0 ? 206 : 200, from > 0 ? { 'content-range': range } : {})
      response.write(CONTENT.subarray(from, from + HALF))
      halves.push(response)
      // Each waits for the end of its answer, so that two of them would write at the same time.
      if (halves.length > 1) setImmediate(() => response.end(CONTENT.subarray(from + HALF)))
    }
    const cache = cacheFor([host])
    const first = new AbortController()
    const begun = cache.fetch(mediumAt(`http://${host}/x`), () => {}, first.signal)
    await vi.waitFor(async () => expect(await partSize()).toBe(HALF), { interval: 5 })
    const others = [0, 1].map(() => cache.fetch(mediumAt(`http://${host}/x`), () => {}, signal))
    first.abort()
    await expect(begun).rejects.toThrow()
    for (const path of await Promise.all(others)) expect(await readFile(path)).toEqual(CONTENT)
    expect(ranges).toEqual([undefined, `bytes=${HALF}-`])
  })

  it('is not accepted when more is stored than was received', async () => {
    answer = breaksOff
    await expect(fetched(`http://${host}/x`, [host])).rejects.toThrow()
    const had = await partSize()
    const range = `bytes ${had}-${CONTENT.length - 1}/${CONTENT.length}`
    answer = (_request, response) =>
      response.writeHead(206, { 'content-range': range }).end(CONTENT.subarray(had))
    // As another program would that writes to the same file.
    const append = () => appendFileSync(join(folder, 'media', `${SHA256}.part`), 'more')
    const spoiled = cacheFor([host]).fetch(mediumAt(`http://${host}/x`), append, signal)
    await expect(spoiled).rejects.toMatchObject({ code: 'medium_invalid' })
    answer = (_request, response) => response.end(CONTENT)
    expect(await fetched(`http://${host}/x`, [host])).toEqual(CONTENT)
  })
})
