import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headerOf, newKey, packFiles, publicKeyOf, signText } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { manifestOf, samplePackage } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-registry-'))
  lodge = await startLodge({
    environment: {
      LODGE_PLUGIN_KEYS: publicKeyOf(key),
      LODGE_PLUGIN_REGISTRY: path.join(folder, 'index.json'),
    },
  })
  admin = await lodge.admin()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const inspect = (packed: Buffer) =>
  admin.call('POST /api/plugins/inspect', {
    body: { source: 'upload', package: packed.toString('base64') },
  })
const main = 'export default () => ({})'
const manifest = JSON.stringify(manifestOf())
const files = { 'lodge-plugin.json': manifest, 'main.mjs': main }
/** An archive with one more entry. */
const withEntry = (name: string, type: string, content = '') =>
  gzipSync(
    Buffer.concat([
      ...Object.entries({ ...files, [name]: content }).flatMap(([path, text]) => [
        headerOf(path, text.length, path === name ? type : '0'),
        Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, '\0')),
      ]),
      Buffer.alloc(1024),
    ]),
  )
const withManifest = (change: object) =>
  packFiles({ ...files, 'lodge-plugin.json': JSON.stringify({ ...manifestOf(), ...change }) })
const text = { type: 'string', title: 'Text' }
const style = { kinds: ['notification-style'], permissions: ['notifications.format'] }

describe('a package is refused', () => {
  test.each([
    ['that is no archive', Buffer.from('MZ')],
    ['that ends too early', gzipSync(headerOf('main.mjs', 5000))],
    ['that unpacks without end', gzipSync(Buffer.alloc(80 * 1024 * 1024))],
    ['with a path above it', withEntry('../../etc/cron.d/x', '0', 'x')],
    ['with an absolute path', withEntry('/etc/passwd', '0', 'x')],
    ['with a hidden file', withEntry('.env', '0', 'x')],
    ['with a name of two spellings', withEntry('MAIN.mjs', '0', 'x')],
    ['with a symbolic link', withEntry('link', '2')],
    ['with a hard link', withEntry('link', '1')],
    ['with a device', withEntry('device', '3')],
    ['without a manifest', packFiles({ 'main.mjs': main })],
    ['with a manifest that is no JSON', packFiles({ ...files, 'lodge-plugin.json': '{' })],
    ['without its module', packFiles({ 'lodge-plugin.json': manifest })],
    ['with a module elsewhere', withManifest({ main: '../main.mjs' })],
    ['with a reserved id', withManifest({ id: 'host' })],
    ['with an id of a scope', withManifest({ id: '@lodge/payment-manual' })],
    ['of an unknown kind', withManifest({ kinds: ['root'] })],
    ['of payment without its permission', withManifest({ kinds: ['payment'] })],
    ['of a notification style for no channel', withManifest(style)],
    [
      'of a notification style with a network',
      withManifest({
        ...{ ...style, channels: ['webhook'] },
        permissions: [...style.permissions, 'network:example.com'],
      }),
    ],
    ['with an unknown permission', withManifest({ permissions: ['files.read'] })],
    ['with an unknown event', withManifest({ permissions: ['events.read:account.invitation'] })],
    ['with every host', withManifest({ permissions: ['network:*'] })],
    ['with more than a manifest has', withManifest({ scripts: { install: 'curl' } })],
    [
      'with a pattern in its settings',
      withManifest({
        settings: { type: 'object', properties: { a: { ...text, pattern: '(a+)+$' } } },
      }),
    ],
    [
      'with a setting that every object has',
      withManifest({ settings: { type: 'object', properties: { constructor: text } } }),
    ],
  ])('%s', async (_name, packed) => {
    expect(await inspect(packed)).toMatchObject({
      status: 422,
      body: { code: 'plugin_not_valid' },
    })
  })

  test('unless a notification style names its channels and has no network', async () => {
    expect(await inspect(withManifest({ ...style, channels: ['webhook'] }))).toMatchObject({
      body: { kinds: ['notification-style'], obstacle: null },
    })
  })

  test('that was changed after it was signed, in any of its files', async () => {
    const signed = (changed: Record<string, string>) => {
      const whole = packFiles({ ...files, 'x.mjs': 'x' }, key)
      expect(whole.length).toBeGreaterThan(0)
      const signature = signatureIn({ ...files, 'x.mjs': 'x' })
      return packFiles({ ...files, 'x.mjs': 'x', ...changed, 'lodge-plugin.sig.json': signature })
    }
    expect(await inspect(signed({}))).toMatchObject({ body: { signature: 'verified' } })
    const changes: readonly Record<string, string>[] = [
      { 'main.mjs': `${main} ` },
      { 'x.mjs': 'y' },
      { 'more.mjs': '' },
      { 'lodge-plugin.json': `${manifest} ` },
    ]
    for (const changed of changes)
      expect(await inspect(signed(changed))).toMatchObject({ body: { code: 'plugin_untrusted' } })
  })

  test('that is larger than a package may be', async () => {
    expect(await inspect(Buffer.alloc(30 * 1024 * 1024))).toMatchObject({ status: 413 })
  })

  test('for another version of Lodge, with the version that it requires', async () => {
    expect(await inspect(withManifest({ engines: { lodge: '^99.1' } }))).toMatchObject({
      body: { obstacle: expect.stringContaining('^99.1') },
    })
  })
})

/** The signed contents, written down once more, so that no change of the format goes unnoticed. */
function signatureIn(all: Record<string, string>): string {
  const lines = Object.entries(all)
    .map(([name, content]) => `${createHash('sha512').update(content).digest('hex')}  ${name}`)
    .sort()
  const signature = signText(`lodge-plugin 1\n${lines.join('\n')}\n`, key)
  return JSON.stringify({ key: publicKeyOf(key), signature })
}

test('a registry offers the packages of its signed index, and none that differs from it', async () => {
  const packed = samplePackage({ id: 'offered', name: 'Offered' }, main, key)
  const sha512 = createHash('sha512').update(packed).digest('hex')
  const version = { version: '1.0.0', address: 'offered.tgz', sha512, engine: '*' }
  const publish = async (versions: object[], by = key) => {
    const index = JSON.stringify({
      ...{ format: 'lodge-plugins', formatVersion: 1 },
      plugins: [
        {
          ...{ id: 'offered', name: 'Offered', publisher: 'Somebody', description: '' },
          ...{ license: 'MIT', kinds: ['event'], versions },
        },
      ],
    })
    await writeFile(path.join(folder, 'index.json'), index)
    await writeFile(path.join(folder, 'index.json.sig'), signText(index, by))
  }
  await writeFile(path.join(folder, 'offered.tgz'), packed)
  const offered = { source: 'registry', id: 'offered' } as const
  const inspected = () => admin.call('POST /api/plugins/inspect', { body: offered })
  const failed = { status: 502, body: { code: 'plugin_registry_failed' } }
  const store = () => admin.must('GET /api/plugins/store')

  expect(await inspected()).toMatchObject(failed)
  expect((await store()).registry.failure).toContain('registry')
  await publish([version], newKey())
  expect(await inspected()).toMatchObject(failed)
  await publish([{ ...version, sha512: '0'.repeat(128) }])
  expect(await inspected()).toMatchObject(failed)
  await publish([{ ...version, address: '../../../etc/passwd' }])
  expect(await inspected()).toMatchObject(failed)
  await publish([{ ...version, yanked: true }])
  expect(await inspected()).toMatchObject({ status: 404 })

  await publish([
    version,
    { ...version, version: '2.0.0', engine: '^99.0', address: 'newer.tgz' },
    { ...version, version: '0.9.0', address: 'older.tgz' },
  ])
  expect((await store()).items).toContainEqual(
    expect.objectContaining({ id: 'offered', version: '1.0.0', source: 'registry' }),
  )
  expect(await inspected()).toMatchObject({ body: { version: '1.0.0', signature: 'verified' } })
  expect(
    await admin.must('POST /api/plugins', { body: { ...offered, acceptPermissions: true } }),
  ).toMatchObject({ source: 'registry', version: '1.0.0' })

  // Staff are notified of a newer version once, whichever instance finds it, and can update to it.
  const staff = await lodge.limitedAdmin(['plugins.view'])
  await writeFile(
    path.join(folder, 'newer.tgz'),
    samplePackage({ id: 'offered', name: 'Offered', version: '1.1.0' }, main, key),
  )
  const newer = await readFile(path.join(folder, 'newer.tgz'))
  await publish([
    version,
    {
      ...{ version: '1.1.0', address: 'newer.tgz', engine: '*' },
      sha512: createHash('sha512').update(newer).digest('hex'),
    },
  ])
  await using _first = await lodge.beside()
  await using _second = await lodge.beside()
  const told = async () =>
    (await staff.must('GET /api/notifications')).items.filter(({ title }) =>
      title.startsWith('Offered'),
    )
  await until(async () => (await told()).length > 0)
  expect(await told()).toMatchObject([
    {
      ...{ type: 'plugin.update_available', title: 'Offered 1.1.0 is available' },
      link: '/admin/plugins/offered',
    },
  ])
  const params = { plugin: 'offered' }
  expect(await admin.must('GET /api/plugins/{plugin}', { params })).toMatchObject({
    updateTo: '1.1.0',
  })
  await admin.must('POST /api/plugins/{plugin}/update', { params, body: {} })
  expect(await admin.must('GET /api/plugins/{plugin}', { params })).toMatchObject({
    ...{ version: '1.1.0', updateTo: null },
  })
  expect(await told()).toHaveLength(1)
})
