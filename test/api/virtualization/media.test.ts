import { createHash } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptOrFrom } from '../../../agent/src/machines/kept-media.ts'
import type { Caller } from '../../support/caller.ts'
import { identityOf } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  type FileServer,
  isoImage,
  jobEnd,
  LINUX,
  machineNode,
  natNetwork,
  qcow2Image,
  serveFiles,
  sha256,
} from '../../support/vm-world.ts'

let files: FileServer
let folder: string
let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  files = await serveFiles()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-media-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, files.authority)
  lodge = await startLodge({
    environment: {
      LODGE_EGRESS_HOSTS: files.host,
      LODGE_EGRESS_CA: caFile,
      LODGE_MEDIA_GIB: '3',
    },
  })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const mediumOf = async (id: string) => {
  const { media } = await admin.must('GET /api/virtualization/catalogue')
  return media.find((medium) => medium.id === id)
}

/** One request of the tus protocol, as a browser sends it. */
function tus(
  id: string,
  method: 'HEAD' | 'PATCH',
  given: { offset?: number; body?: Buffer; at?: Lodge; caller?: Caller } = {},
): Promise<Response> {
  const { offset, body, at = lodge, caller = admin } = given
  return fetch(`${at.url}/api/virtualization/media/${id}/content`, {
    method,
    headers: {
      origin: lodge.origin,
      cookie: `panel_session=${caller.cookie}`,
      'tus-resumable': '1.0.0',
      ...(offset !== undefined && {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      }),
    },
    ...(body && { body: new Uint8Array(body) }),
  })
}

const announce = (body: {
  name: string
  kind?: 'iso' | 'qcow2'
  sizeBytes: number
  sha256?: string
}) => admin.call('POST /api/virtualization/media/uploads', { body: { kind: 'iso', ...body } })

/** The end of a medium's check, however it began. */
const checked = (id: string) =>
  until(async () => {
    const medium = await mediumOf(id)
    return medium?.state === 'ready' || medium?.state === 'failed' ? medium : undefined
  })

async function upload(name: string, content: Buffer, given: { kind?: 'iso' | 'qcow2' } = {}) {
  const { body: medium } = await announce({ name, sizeBytes: content.length, ...given })
  expect((await tus(medium.id, 'PATCH', { offset: 0, body: content })).status).toBe(204)
  return checked(medium.id)
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

describe('a medium that is uploaded', () => {
  test('resumes where it was interrupted, also at another control plane, and is checked when complete', async () => {
    const content = isoImage('uploaded')
    const made = await announce({ name: 'uploaded', sizeBytes: content.length })
    expect([made.status, made.body.state]).toEqual([201, 'uploading'])
    const { id } = made.body
    await tus(id, 'PATCH', { offset: 0, body: content.subarray(0, 10_000) })
    expect(await mediumOf(id)).toMatchObject({ state: 'uploading', uploadedBytes: 10_000 })
    await using beside = await lodge.beside()
    const head = await tus(id, 'HEAD', { at: beside })
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '10000'])
    const wrong = await tus(id, 'PATCH', { offset: 5, body: content.subarray(5), at: beside })
    expect(wrong.status).toBe(409)
    await tus(id, 'PATCH', { offset: 10_000, body: content.subarray(10_000), at: beside })
    expect(await checked(id)).toMatchObject({
      state: 'ready',
      kept: true,
      sha256: sha256(content),
      sizeBytes: content.length,
    })
  })

  test.each([
    ['no ISO', Buffer.alloc(40_960), undefined, 'not an ISO 9660 image'],
    ['another one', isoImage('a'), sha256(isoImage('b')), 'fingerprint'],
  ])(
    'and is %s is refused with the reason, and its file is deleted',
    async (name, content, given, why) => {
      const { body } = await announce({
        name,
        sizeBytes: content.length,
        ...(given && { sha256: given }),
      })
      await tus(body.id, 'PATCH', { offset: 0, body: content })
      const medium = await checked(body.id)
      expect(medium.state).toBe('failed')
      expect(medium.failure).toContain(why)
      await until(
        async () => !(await isThere(path.join(lodge.dataFolder, 'media/arriving', body.id))),
      )
    },
  )

  test('is accepted only while there is space, and only from those who may upload', async () => {
    const large = await announce({ name: 'large', sizeBytes: 4 * 1024 ** 3 })
    expect([large.status, large.body]).toMatchObject([507, { code: 'storage_full' }])
    expect(JSON.stringify(large.body)).toContain('LODGE_MEDIA_GIB')
    const first = await announce({ name: 'half', sizeBytes: 2 * 1024 ** 3 })
    expect(first.status).toBe(201)
    expect((await announce({ name: 'other half', sizeBytes: 2 * 1024 ** 3 })).status).toBe(507)
    const customer = await lodge.customer()
    const refused = await tus(first.body.id, 'PATCH', {
      offset: 0,
      body: Buffer.alloc(10),
      caller: customer,
    })
    expect([403, 404]).toContain(refused.status)
    const params = { id: first.body.id }
    await admin.must('DELETE /api/virtualization/media/{id}', { params })
    expect(await isThere(path.join(lodge.dataFolder, 'media/arriving', first.body.id))).toBe(false)
  })

  test('is served to the nodes whose machines use it, from any offset, and to no other', async () => {
    const content = qcow2Image(64n << 20n)
    const medium = await upload('for nodes', content, { kind: 'qcow2' })
    const { node, agent } = await machineNode(lodge)
    await using _agent = agent
    const { node: stranger, agent: other } = await machineNode(lodge)
    await using _other = other
    await natNetwork(lodge)
    const made = await admin.must('POST /api/servers', {
      body: {
        name: 'from an upload',
        ownerId: admin.id,
        templateId: LINUX,
        nodeId: node.id,
        diskMb: 1024,
        vm: {
          source: {
            kind: 'image',
            mediumId: medium.id,
            seed: { password: 'a first password', packages: ['htop'], userData: '#!/bin/sh\n' },
          },
        },
        start: false,
      },
    })
    await jobEnd(admin, made.jobId, 'done')
    const ref = {
      sha256: medium.sha256 ?? '',
      url: `lodge://media/${medium.sha256}`,
      kind: 'qcow2',
      sizeBytes: content.length,
    } as const
    const from = (who: typeof node) =>
      keptOrFrom(identityOf(lodge, who), () => Promise.reject(new Error('no address')))
    const read = async (offset: number) => {
      const answer = await from(node)(ref, offset, AbortSignal.timeout(20_000))
      const parts: Buffer[] = []
      for await (const part of answer.body) parts.push(part)
      return { offset: answer.offset, bytes: Buffer.concat(parts) }
    }
    expect((await read(0)).bytes.equals(content)).toBe(true)
    const rest = await read(60_000)
    expect([rest.offset, rest.bytes.equals(content.subarray(60_000))]).toEqual([60_000, true])
    await expect(from(stranger)(ref, 0, AbortSignal.timeout(20_000))).rejects.toThrow('404')
    const { rows } = await lodge.database.pool.query(
      'select seed from machines where server_id = $1',
      [made.serverId],
    )
    expect(rows[0].seed).toMatchObject({ packages: ['htop'], userData: '#!/bin/sh\n' })
    expect(rows[0].seed.passwordHash).toMatch(/^\$6\$/)
    const refused = await admin.call('DELETE /api/virtualization/media/{id}', {
      params: { id: medium.id },
    })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'in_use', servers: [{ id: made.serverId, name: 'from an upload' }] },
    ])
  })
})

test("a deleted medium is removed from the nodes' caches too", async () => {
  const medium = await upload('cached', qcow2Image(32n << 20n), { kind: 'qcow2' })
  const { node, agent } = await machineNode(lodge)
  await using _agent = agent
  await natNetwork(lodge)
  const source = {
    kind: 'image',
    mediumId: medium.id,
    seed: { password: 'a first password' },
  } as const
  const made = await admin.must('POST /api/servers', {
    body: {
      name: 'caches it',
      ownerId: admin.id,
      templateId: LINUX,
      nodeId: node.id,
      diskMb: 1024,
      vm: { source },
      start: false,
    },
  })
  await jobEnd(admin, made.jobId, 'done')
  const gone = await admin.must('DELETE /api/servers/{id}', { params: { id: made.serverId } })
  await jobEnd(admin, gone.jobId, 'done')
  const cached = async () => {
    await admin.must('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true, emulationAllowed: true },
    })
    const { rows } = await lodge.database.pool.query(
      `select virtualization->'media' as media from nodes where id = $1`,
      [node.id],
    )
    return JSON.stringify(rows[0].media).includes(medium.sha256 ?? 'none')
  }
  expect(await cached()).toBe(true)
  await admin.must('DELETE /api/virtualization/media/{id}', { params: { id: medium.id } })
  await until(async () => !(await cached()))
})

describe('a medium with its publisher’s checksums', () => {
  const register = async (name: string, content: Buffer, sums: string) => {
    const where = `/${name.replaceAll(' ', '-')}.iso`
    files.files.set(where, content)
    files.files.set(`${where}.sums`, Buffer.from(sums))
    const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
      body: { name, kind: 'iso', url: files.url(where), checksumUrl: files.url(`${where}.sums`) },
    })
    const job = await until(async () => {
      const found = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return found.endedAt === null ? undefined : found
    })
    return { job, medium: await checked(medium.id) }
  }

  test('is checked against them, stores them as they were that day, and its job ends', async () => {
    const content = isoImage('published')
    const sha512 = createHash('sha512').update(content).digest('hex')
    const { job, medium } = await register('published', content, `${sha512}  published.iso\n`)
    expect(medium).toMatchObject({ state: 'ready', kept: true, sha256: sha256(content) })
    expect(job.percent).toBe(100)
    expect(JSON.stringify(job.steps)).not.toContain('0 of 1 MiB')
  })

  test.each([
    [
      'has another one',
      `${'0'.repeat(64)}  has-another-one.iso\n`,
      'not the one that its publisher names',
    ],
    [
      'is not named',
      `${'0'.repeat(64)}  other.iso\n${'1'.repeat(64)}  more.iso\n`,
      'has no SHA-256',
    ],
  ])('that %s is refused', async (name, sums, why) => {
    const { medium } = await register(name, isoImage(name), sums)
    expect(medium.state).toBe('failed')
    expect(medium.failure).toContain(why)
  })

  test('is fetched as far as there is room, of which others that arrive have their share', async () => {
    const whole = Buffer.concat([isoImage('with its share'), Buffer.alloc(960_000)])
    const address = (name: string) => {
      const where = `/${name}.iso`
      files.files.set(`${where}.sums`, Buffer.from(`${sha256(whole)}  ${name}.iso\n`))
      const [url, checksumUrl] = [files.url(where), files.url(`${where}.sums`)]
      return { where, body: { name, kind: 'iso', url, checksumUrl } as const }
    }
    const fetchOf = async (name: string, answer: (response: ServerResponse) => void) => {
      const { where, body } = address(name)
      files.files.set(where, answer)
      const { medium } = await admin.must('POST /api/virtualization/media', { body })
      return medium.id
    }
    const sizeBytes = 3 * 1024 ** 3 - 1_500_000
    const upload = await announce({ name: 'takes the rest', sizeBytes })
    expect(upload.status).toBe(201)

    const rest = Promise.withResolvers<void>()
    const slow = await fetchOf('slow', (response) => {
      response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 50_000))
      void rest.promise.then(() => response.end(whole.subarray(50_000)))
    })
    await until(async () => (await mediumOf(slow))?.sizeBytes === whole.length)
    const second = await fetchOf('second', (response) => {
      response.writeHead(200, { 'content-length': whole.length }).end(whole)
    })
    // Its server does not say how much is to come.
    const endless = await fetchOf('endless', (response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(whole));
      }
      response.on('drain', more)
      more()
    })
    for (const id of [second, endless]) {
      const { state, failure } = await checked(id)
      expect([state, failure]).toEqual(['failed', expect.stringContaining('no room')])
      await until(async () => !(await isThere(path.join(lodge.dataFolder, 'media/arriving', id))))
    }
    rest.resolve()
    expect(await checked(slow)).toMatchObject({ state: 'ready', kept: true })
    for (const id of [slow, upload.body.id])
      await admin.must('DELETE /api/virtualization/media/{id}', { params: { id } })
  })

  test('needs either them or a fingerprint', async () => {
    const body = { name: 'neither', kind: 'iso', url: files.url('/x.iso') } as const
    for (const more of [{}, { sha256: '0'.repeat(64), checksumUrl: files.url('/x.sums') }]) {
      const answer = await admin.call('POST /api/virtualization/media', {
        body: { ...body, ...more },
      })
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'validation_failed' }])
    }
  })
})
