import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MAX_ATTACHMENT_BYTES, MAX_UNSENT_BYTES } from '@lodge/shared/attachments.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const MIB = 1024 * 1024
/** A MiB of a log. */
const TEXT = Buffer.from('2026-11-27 all is well\n'.repeat(MIB / 16)).subarray(0, MIB)

let lodge: Lodge
let customer: Caller
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await lodge.database.pool.query('delete from attachments')
  customer = await lodge.customer()
})

type Answered = Promise<{ status: number; body: { id: string; code?: string; detail?: string } }>

/** A request with a file, on a connection of its own, and its response. */
function begin(lengthBytes?: number): { request: http.ClientRequest; answer: Answered } {
  const request = http.request(`${lodge.url}/api/support/tickets/new/attachments?name=server.log`, {
    ...{ method: 'POST', agent: new http.Agent({ keepAlive: true }) },
    headers: {
      ...{ host: new URL(lodge.origin).host, origin: lodge.origin },
      ...{ cookie: `panel_session=${customer.cookie}`, 'content-type': 'application/octet-stream' },
      ...(lengthBytes !== undefined && { 'content-length': lengthBytes }),
    },
  })
  const answer = once(request, 'response').then(async ([response]) => ({
    ...{ status: response.statusCode, body: (await json(response)) as never },
  }))
  answer.catch(() => undefined)
  request.on('error', () => undefined)
  return { request, answer }
}

/** Resolves once the bytes are on their way, or never will be. */
const write = (request: http.ClientRequest, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => void request.write(bytes, () => resolve()))

/** Sends pieces, as fast as they are accepted. */
async function send(pieces: readonly Buffer[], lengthBytes?: number): Answered {
  const { request, answer } = begin(lengthBytes)
  for (const piece of pieces) await write(request, piece)
  request.end()
  return answer
}

/** What is stored of files that were never sent completely. */
async function traces() {
  const count = async (table: string) =>
    (await lodge.database.pool.query(`select from ${table}`)).rows.length
  return {
    arrivals: await count('attachment_arrivals'),
    attachments: await count('attachments'),
    files: (await readdir(path.join(lodge.dataFolder, 'blobs', 'arriving')).catch(() => [])).length,
  }
}
const NOTHING = { arrivals: 0, attachments: 0, files: 0 }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('a file of 64 MiB passes through a constant amount of memory', async () => {
  const pieces = MAX_ATTACHMENT_BYTES / MIB
  const before = heldBytes()
  let most = 0
  const { request, answer } = begin(MAX_ATTACHMENT_BYTES)
  const digest = createHash('sha256')
  for (let at = 0; at < pieces; at++) {
    digest.update(TEXT)
    await write(request, TEXT)
    // Garbage collection over all files of this process takes longer than forwarding a MiB.
    if (at % 16 === 15) most = Math.max(most, heldBytes() - before)
  }
  request.end()
  const { status, body } = await answer
  expect({ status, body }).toMatchObject({
    ...{ status: 201, body: { type: 'text/plain', sizeBytes: MAX_ATTACHMENT_BYTES } },
  })
  // The data in flight on a busy machine, and far less than the whole file.
  expect(most).toBeLessThan(24 * MIB)

  const ticket = await customer.must('POST /api/support/tickets', {
    body: { subject: 'Its log', bodyMarkdown: 'All of it.', attachments: [body.id] },
  })
  const read = await fetch(`${lodge.url}/api/support/tickets/${ticket.id}/attachments/${body.id}`, {
    headers: { cookie: `panel_session=${customer.cookie}` },
  })
  const got = createHash('sha256')
  for await (const piece of read.body ?? []) got.update(piece)
  expect(got.digest('hex')).toBe(digest.digest('hex'))
})

test('a sender who stops in the middle leaves nothing, and can begin again', async () => {
  const { request, answer } = begin(32 * MIB)
  for (let at = 0; at < 3; at++) await write(request, TEXT)
  await until(async () => (await traces()).files === 1)
  expect(await traces()).toEqual({ arrivals: 1, attachments: 0, files: 1 })
  request.destroy()
  await expect(answer).rejects.toThrow()
  await until(async () => JSON.stringify(await traces()) === JSON.stringify(NOTHING))
  expect(await send([TEXT, TEXT], 2 * MIB)).toMatchObject({ status: 201 })
})

test('a file that is too large is refused before its first byte, or once too much has arrived', async () => {
  const refused = { status: 413, body: { code: 'payload_too_large' } }
  const announced = begin(MAX_ATTACHMENT_BYTES + 1)
  announced.request.flushHeaders()
  expect(await announced.answer).toMatchObject(refused)
  announced.request.destroy()
  const pieces = Array.from({ length: MAX_ATTACHMENT_BYTES / MIB + 1 }, () => TEXT)
  expect(await send(pieces)).toMatchObject(refused)
  await until(async () => JSON.stringify(await traces()) === JSON.stringify(NOTHING))
})

test('a forbidden file type is refused wherever it is detected, and its sender gets the response', async () => {
  const refused = { status: 415, body: { code: 'unsupported_media_type' } }
  const program = Buffer.concat([Buffer.from('\x7fELF\x02\x01\0', 'latin1'), TEXT])
  expect(await send([program, ...Array.from({ length: 20 }, () => TEXT)])).toMatchObject(refused)
  const late = Buffer.concat([TEXT.subarray(1), Buffer.from([0])])
  expect(await send([TEXT, TEXT, late], 3 * MIB)).toMatchObject(refused)
  // A character that is cut by the end is invalid; one that is split between two pieces is not.
  expect(await send([TEXT, Buffer.from([0xc3])])).toMatchObject(refused)
  expect(await send([])).toMatchObject(refused)
  await until(async () => JSON.stringify(await traces()) === JSON.stringify(NOTHING))
  const cut = [Buffer.from([0x47, 0xc3]), Buffer.from([0xbc, 0x6e])]
  expect(await send(cut)).toMatchObject({ status: 201, body: { type: 'text/plain' } })
  const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), program])
  const byOnes = [...picture.subarray(0, 10)].map((byte) => Buffer.from([byte]))
  expect(await send([...byOnes, picture.subarray(10)])).toMatchObject({
    ...{ status: 201, body: { type: 'image/png' } },
  })
})

test('uploads count from their beginning, and no longer once they are aborted', async () => {
  const most = Math.floor(MAX_UNSENT_BYTES / MAX_ATTACHMENT_BYTES)
  const open = Array.from({ length: most }, () => begin(MAX_ATTACHMENT_BYTES))
  for (const { request } of open) await write(request, TEXT)
  await until(async () => (await traces()).arrivals === most)
  const more = await send([TEXT], MIB * (MAX_UNSENT_BYTES / MIB - most * 64 + 1)).catch(
    (error) => error,
  )
  expect(more).toMatchObject({ status: 413, body: { detail: expect.stringContaining('200 MiB') } })
  for (const { request } of open) request.destroy()
  await until(async () => (await traces()).arrivals === 0)
  expect(await send([TEXT], MIB)).toMatchObject({ status: 201 })
})
