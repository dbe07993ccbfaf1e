import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  WINDOWS,
} from '../../support/vm-world.ts'

let files: FileServer
let folder: string
let lodge: Lodge
beforeAll(async () => {
  files = await serveFiles()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-media-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, files.authority)
  lodge = await startLodge({
    environment: { LODGE_EGRESS_HOSTS: files.host, LODGE_EGRESS_CA: caFile },
  })
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function register(
  name: string,
  content: Buffer,
  given: { kind?: 'iso' | 'qcow2' | 'raw'; sha256?: string; url?: string } = {},
) {
  const admin = await lodge.admin()
  const where = `/${name.replaceAll(' ', '-')}`
  files.files.set(where, content)
  const { kind = 'iso', url = files.url(where) } = given
  const made = await admin.must('POST /api/virtualization/media', {
    body: { name, url, sha256: given.sha256 ?? sha256(content), kind },
  })
  const job = await until(async () => {
    const found = await admin.must('GET /api/jobs/{id}', { params: { id: made.jobId } })
    return found.endedAt === null ? undefined : found
  })
  const { media } = await admin.must('GET /api/virtualization/catalogue')
  return { job, medium: media.find(({ id }) => id === made.medium.id)!, made }
}

describe('a medium', () => {
  test('is downloaded, verified and ready, and then shown to customers', async () => {
    const { job, medium, made } = await register('installer', isoImage('installer'))
    expect(made.medium.state).toBe('checking')
    expect(job.state).toBe('done')
    expect(medium).toMatchObject({ state: 'ready', sizeBytes: 40_960, virtualSizeMb: null })
    const customer = await lodge.customer()
    const { media } = await customer.must('GET /api/virtualization/catalogue')
    expect(media.find(({ id }) => id === medium.id)).toMatchObject({ url: null, jobId: null })
  })

  test.each([
    ['another content', isoImage('a'), { sha256: sha256(isoImage('b')) }, 'fingerprint'],
    ['no ISO', Buffer.alloc(40_960), {}, 'not an ISO 9660 image'],
    [
      'a backing file',
      qcow2Image(1n << 30n, (header) => header.writeBigUInt64BE(512n, 8)),
      { kind: 'qcow2' as const },
      'backing file',
    ],
    [
      'an outside data file',
      qcow2Image(1n << 30n, (header) => header.writeBigUInt64BE(4n, 72)),
      { kind: 'qcow2' as const },
      'another file',
    ],
    ['qcow2 as raw', qcow2Image(1n << 30n), { kind: 'raw' as const }, 'qcow2 image'],
    ['an odd size', Buffer.alloc(1000), { kind: 'raw' as const }, '512'],
  ])('that is %s is refused with the reason', async (name, content, given, reason) => {
    const { job, medium } = await register(name, content, given)
    expect(job).toMatchObject({ state: 'failed', failure: { code: 'medium_invalid' } })
    expect(medium).toMatchObject({ state: 'failed' })
    expect(medium.failure).toContain(reason)
    const customer = await lodge.customer()
    const { media } = await customer.must('GET /api/virtualization/catalogue')
    expect(media.some(({ id }) => id === medium.id)).toBe(false)
  })

  test('that is a disk image shows the size of its disk', async () => {
    const { medium } = await register('disk', qcow2Image(3n << 30n), { kind: 'qcow2' })
    expect(medium).toMatchObject({ state: 'ready', virtualSizeMb: 3072 })
  })

  test('follows redirects, but never into the internal network', async () => {
    const content = isoImage('redirected')
    files.files.set('/there', content)
    files.files.set('/hop', (response) => {
      response.writeHead(302, { location: '/there' }).end()
    })
    const good = await register('redirected', content, { url: files.url('/hop') })
    expect(good.job.state).toBe('done')
    const inside = isoImage('inside')
    files.files.set('/hole', (response) => {
      response.writeHead(302, { location: 'https://127.0.0.1:1/secret' }).end()
    })
    const bad = await register('inside', inside, { url: files.url('/hole') })
    expect(bad.job).toMatchObject({ state: 'failed', failure: { code: 'medium_refused' } })
    expect(bad.medium.failure).toContain('LODGE_EGRESS_HOSTS=host:port')
  })

  test('may be registered again under its name after a failure, and only once when it is valid', async () => {
    const content = isoImage('twice')
    await register('twice', content, { sha256: sha256(Buffer.from('wrong')) })
    const { job } = await register('twice', content)
    expect(job.state).toBe('done')
    const admin = await lodge.admin()
    const again = (name: string) =>
      admin.call('POST /api/virtualization/media', {
        body: { name, url: files.url('/twice'), sha256: sha256(content), kind: 'iso' },
      })
    expect(await again('twice')).toMatchObject({ status: 409, body: { code: 'duplicate' } })
    expect(await again('thrice')).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  })

  test('that stalls in the middle is resumed and completed', async () => {
    const content = isoImage('broken off')
    let times = 0
    files.files.set('/broken', (response) => {
      times += 1
      response.writeHead(200, { 'content-length': content.length })
      if (times > 1) return void response.end(content)
      response.write(content.subarray(0, 1000))
      response.destroy()
    })
    const { job } = await register('broken off', content, { url: files.url('/broken') })
    expect(job.state).toBe('done')
    expect(times).toBe(2)
  })

  test('must come over TLS', async () => {
    const admin = await lodge.admin()
    const body = {
      name: 'x',
      url: 'http://example.com/a.iso',
      sha256: 'a'.repeat(64),
      kind: 'iso' as const,
    }
    expect(await admin.call('POST /api/virtualization/media', { body })).toMatchObject({
      status: 400,
    })
  })

  test('is enabled and disabled for new installations', async () => {
    const { medium } = await register('switched', isoImage('switched'))
    const admin = await lodge.admin()
    const customer = await lodge.customer()
    const seen = async () =>
      (await customer.must('GET /api/virtualization/catalogue')).media.some(
        ({ id }) => id === medium.id,
      )
    await admin.must('PATCH /api/virtualization/media/{id}', {
      params: { id: medium.id },
      body: { enabled: false },
    })
    expect(await seen()).toBe(false)
    await admin.must('PATCH /api/virtualization/media/{id}', {
      params: { id: medium.id },
      body: { enabled: true },
    })
    expect(await seen()).toBe(true)
  })
})

describe('a network', () => {
  test.each([
    [{ poolTo: '10.78.2.20' }, '/poolTo'],
    [{ poolFrom: '10.78.1.1' }, '/poolFrom'],
    [{ poolFrom: '10.78.1.30' }, '/poolTo'],
    [{ gateway: '10.79.1.1' }, '/gateway'],
    [{ subnet: '10.78.1.0/31' }, '/subnet'],
  ])('with invalid addresses is refused: %o', async (change, pointer) => {
    const admin = await lodge.admin()
    const body = {
      name: 'unfit',
      libvirtName: 'unfit',
      subnet: '10.78.1.0/24',
      poolFrom: '10.78.1.10',
      poolTo: '10.78.1.20',
      ...change,
    }
    const { status, body: said } = await admin.call('POST /api/virtualization/networks', { body })
    expect(status).toBe(400)
    expect(said).toMatchObject({
      errors: [
        expect.objectContaining({ pointer }),
        ...(Array.isArray((said as { errors?: unknown[] }).errors)
          ? (said as unknown as { errors: unknown[] }).errors.slice(1)
          : []),
      ],
    })
  })

  test('must not share a name or addresses with another one on the same node', async () => {
    const [one, other] = [await lodge.joinedNode(), await lodge.joinedNode()]
    const admin = await lodge.admin()
    const add = (name: string, libvirtName: string, subnet: number, nodeIds: string[]) =>
      admin.call('POST /api/virtualization/networks', {
        body: {
          name,
          libvirtName,
          subnet: `10.90.${subnet}.0/24`,
          poolFrom: `10.90.${subnet}.10`,
          poolTo: `10.90.${subnet}.20`,
          nodeIds,
        },
      })
    expect((await add('first', 'lan', 1, [one.id])).status).toBe(201)
    expect(await add('second', 'lan', 2, [one.id])).toMatchObject({
      status: 409,
      body: { code: 'duplicate' },
    })
    expect(await add('third', 'lan2', 1, [])).toMatchObject({
      status: 409,
      body: { code: 'duplicate' },
    })
    expect((await add('fourth', 'lan', 1, [other.id])).status).toBe(201)
  })
})

describe('hardware', () => {
  test('comes built in for Linux and for Windows 11', async () => {
    const customer = await lodge.customer()
    const { profiles } = await customer.must('GET /api/virtualization/catalogue')
    expect(profiles.find(({ id }) => id === WINDOWS)?.hardware).toMatchObject({
      tpm: true,
      firmware: { kind: 'uefi', secureBoot: true },
    })
    expect(profiles.find(({ id }) => id === LINUX)?.hardware).toMatchObject({ diskBus: 'virtio' })
  })

  test('is created once and never changed, only disabled', async () => {
    const admin = await lodge.admin()
    const hardware = {
      machine: 'q35' as const,
      firmware: { kind: 'bios' as const },
      tpm: false,
      cpuModel: 'qemu64',
      diskBus: 'sata' as const,
      nicModel: 'e1000e' as const,
      video: 'vga' as const,
      guestAgent: false,
    }
    const made = await admin.must('POST /api/virtualization/profiles', {
      body: { name: 'Old', hardware },
    })
    const changed = await admin.call('PATCH /api/virtualization/profiles/{id}', {
      params: { id: made.id },
      body: { enabled: false, hardware } as { enabled: boolean },
    })
    expect(changed.status).toBe(400)
    const off = await admin.must('PATCH /api/virtualization/profiles/{id}', {
      params: { id: made.id },
      body: { enabled: false },
    })
    expect(off).toMatchObject({ enabled: false, hardware: made.hardware })
    const measured = await admin.call('POST /api/virtualization/profiles', {
      body: { name: 'Odd', hardware: { ...hardware, tpm: true } },
    })
    expect(measured).toMatchObject({ status: 400 })
  })
})

describe('a node', () => {
  test('accepts machines only if its agent finds everything that they need', async () => {
    const admin = await lodge.admin()
    await natNetwork(lodge)
    const bare = await lodge.joinedNode()
    const without = await admin.call('PATCH /api/nodes/{id}/virtualization', {
      params: { id: bare.id },
      body: { enabled: true },
    })
    expect(without).toMatchObject({ status: 409, body: { code: 'unsupported_on_node' } })
    const { node, agent } = await machineNode(lodge)
    const knobs = agent.driver.knobs
    const fit = knobs.virtualization
    knobs.virtualization = {
      ...fit,
      available: false,
      why: 'libvirt does not answer',
      checks: [
        {
          id: 'libvirt',
          state: 'failed',
          summary: 'libvirt does not answer',
          remedy: 'Start libvirtd',
        },
      ],
    }
    const broken = await admin.call('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true },
    })
    expect(broken).toMatchObject({
      status: 409,
      body: { code: 'unsupported_on_node', missing: [{ remedy: 'Start libvirtd' }] },
    })
    const why = 'This node has no KVM: there is no /dev/kvm.'
    const kvm = { id: 'kvm', state: 'warning', summary: why, remedy: 'Switch it on.' } as const
    knobs.virtualization = { ...fit, kvmWhy: why, checks: [kvm] }
    const noKvm = await admin.call('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true, emulationAllowed: false },
    })
    expect(noKvm).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(/no \/dev\/kvm\. Mend that, or allow emulation/),
        missing: [{ id: 'kvm', summary: why, remedy: 'Switch it on.' }],
      },
    })
    const on = await admin.must('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true, emulationAllowed: true },
    })
    expect(on.virtualization).toMatchObject({
      enabled: true,
      emulationAllowed: true,
      found: { available: true },
    })
    const off = await admin.must('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: false },
    })
    expect(off.virtualization.enabled).toBe(false)
    await agent[Symbol.asyncDispose]()
  })
})

test('a job that checks a medium can be cancelled, and the medium shows it', async () => {
  const admin = await lodge.admin()
  const content = isoImage('endless')
  files.files.set('/endless', (response) => {
    response.writeHead(200, { 'content-length': content.length })
    response.write(content.subarray(0, 100))
  })
  const made = await admin.must('POST /api/virtualization/media', {
    body: { name: 'endless', url: files.url('/endless'), sha256: sha256(content), kind: 'iso' },
  })
  await until(async () => {
    const job = await admin.must('GET /api/jobs/{id}', { params: { id: made.jobId } })
    return job.state === 'running'
  })
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: made.jobId } })
  await jobEnd(admin, made.jobId, 'cancelled')
  const { media } = await admin.must('GET /api/virtualization/catalogue')
  expect(media.find(({ id }) => id === made.medium.id)?.state).toBe('failed')
})

test('the operator can change the list of images, and reset it', async () => {
  const admin = await lodge.admin()
  const before = await admin.must('GET /api/virtualization/images')
  expect(before.builtIn).toBe(true)
  expect(before.images.length).toBeGreaterThan(5)
  const images = [
    { name: 'Ours', kind: 'qcow2', url: files.url('/ours'), checksumUrl: files.url('/ours.sums') },
  ] as const
  const put = (given: typeof images | readonly [(typeof images)[0], (typeof images)[0]]) =>
    admin.call('PUT /api/virtualization/images', { body: { images: [...given] } })
  expect((await put([images[0], images[0]])).status).toBe(400)
  expect((await put(images)).body).toMatchObject({ builtIn: false, images: [{ name: 'Ours' }] })
  await admin.must('DELETE /api/virtualization/images')
  expect(await admin.must('GET /api/virtualization/images')).toEqual(before)
})
