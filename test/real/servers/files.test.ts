import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, makeServers } from '../support/servers.ts'

/** Prints what it sees of its own files. */
const SCRIPT =
  'echo ready; while :; do cat /data/motd.txt > /data/.seen 2>/dev/null && mv /data/.seen /data/seen; sleep 0.2; done'
const PART_BYTES = 8 * 1024 * 1024
const PARTS = 32
/** The memory by which one process may grow while a large file passes through it. */
const GROWTH_BYTES = 32 * 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0' }

const missing = await machineMissing()

describe.skipIf(missing)('the files of a server on a real Docker engine', () => {
  let machine: Machine
  let serverId: string
  beforeAll(async () => {
    machine = await startMachine()
    const limits = { memoryMb: 32, cpuPercent: 20, diskMb: 1_024 }
    const { ids } = await makeServers(machine, busyboxTemplate(SCRIPT, { limits }), 1)
    serverId = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  const ask = (rest: string, init: RequestInit & { readonly duplex?: 'half' } = {}) => {
    const { origin, cookie } = machine.admin
    const headers = { origin, cookie, ...(init.headers as Record<string, string>) }
    return fetch(new URL(`/api/servers/${serverId}/files${rest}`, origin), { ...init, headers })
  }
  const write = (path: string, body: string, condition: Record<string, string> = {}) =>
    ask(`/content?path=${path}`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/octet-stream', ...condition },
    })
  const text = async (path: string) => (await ask(`/content?path=${path}`)).text()
  const params = () => ({ params: { id: serverId } })
  const done = ({ jobId }: { readonly jobId: string }) =>
    machine.until(`the job ${jobId} ends`, async () => {
      const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      if (job.failure) throw new Error(`${job.failure.code}: ${job.failure.detail}`)
      return job.state === 'done'
    })

  test('the program sees written files, and nobody overwrites another person’s change', async () => {
    const first = await write('/motd.txt', 'hello')
    expect(first.status, await first.clone().text()).toBe(200)
    await machine.until('the program sees it', async () => (await text('/seen')) === 'hello')
    const etag = first.headers.get('etag') ?? ''
    expect((await write('/motd.txt', 'hello again', { 'if-match': etag })).status).toBe(200)
    const late = await write('/motd.txt', 'lost', { 'if-match': etag })
    expect([late.status, (await late.json()).code]).toEqual([412, 'file_changed'])
    await machine.until(
      'the program sees the change',
      async () => (await text('/seen')) === 'hello again',
    )
  })

  test('a folder is archived, extracted beside it, deleted and restored', async () => {
    await machine.admin.must('POST /api/servers/{id}/files/mkdir', {
      ...params(),
      body: { path: '/world' },
    })
    await write('/world/level.dat', 'level')
    const archived = await machine.admin.must('POST /api/servers/{id}/files/archive', {
      ...params(),
      body: { paths: ['/world'], to: '/world.tar.gz' },
    })
    await done(archived)
    const extracted = await machine.admin.must('POST /api/servers/{id}/files/extract', {
      ...params(),
      body: { path: '/world.tar.gz', to: '/restored' },
    })
    await done(extracted)
    expect(await text('/restored/world/level.dat')).toBe('level')
    const { deletionId } = await machine.admin.must('POST /api/servers/{id}/files/delete', {
      ...params(),
      body: { paths: ['/world', '/restored', '/world.tar.gz'], permanent: false },
    })
    expect((await ask('/stat?path=/world')).status).toBe(404)
    const usage = () => machine.admin.must('GET /api/servers/{id}/files/usage', params())
    expect((await usage()).binBytes).toBeGreaterThan(0)
    await machine.admin.must('POST /api/servers/{id}/files/bin/restore', {
      ...params(),
      body: { ids: [deletionId ?? ''] },
    })
    expect(await text('/world/level.dat')).toBe('level')
    expect((await usage()).binBytes).toBe(0)
  })

  test('256 MiB are transferred both ways in parts, and the panel stores none of it', async () => {
    const bytes = () =>
      Number(
        /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${machine.panel.pid}/status`, 'utf8'))?.[1],
      ) * 1024
    // Memory for the transfer itself, such as code and connection buffers, is allocated before.
    await bothWays('/first.bin', 4, () => {})
    const before = bytes()
    let most = before
    await bothWays('/large.bin', PARTS, () => {
      most = Math.max(most, bytes())
    })
    expect(most - before).toBeLessThan(GROWTH_BYTES)
  })

  /** Uploads a file in distinct parts and reads it again; calls `look` in between. */
  async function bothWays(path: string, parts: number, look: () => void): Promise<void> {
    const part = Buffer.alloc(PART_BYTES, 'lodge')
    const announced = await ask('/uploads', {
      method: 'POST',
      headers: {
        ...TUS,
        'upload-length': String(parts * PART_BYTES),
        'upload-metadata': `path ${Buffer.from(path).toString('base64')}`,
      },
    })
    const address = (announced.headers.get('location') ?? '').replace(/^.*\/files/, '')
    const hash = createHash('sha256')
    for (let at = 0; at < parts; at++) {
      part.writeUInt32LE(at)
      hash.update(part)
      const sent = await ask(address, {
        method: 'PATCH',
        body: part,
        headers: {
          ...TUS,
          'upload-offset': String(at * PART_BYTES),
          'content-type': 'application/offset+octet-stream',
        },
      })
      expect(sent.status, await sent.text()).toBe(204)
      look()
    }
    const { body, headers } = await ask(`/content?path=${path}`)
    expect(headers.get('content-length')).toBe(String(parts * PART_BYTES))
    const arrived = createHash('sha256')
    let receivedBytes = 0
    if (body)
      for await (const chunk of Readable.fromWeb(body as never)) {
        arrived.update(chunk)
        const partsBefore = Math.trunc(receivedBytes / PART_BYTES)
        receivedBytes += chunk.length
        if (Math.trunc(receivedBytes / PART_BYTES) > partsBefore) look()
      }
    expect(arrived.digest('hex')).toBe(hash.digest('hex'))
  }
})
