import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fencerOf, switchOff } from '../../../control-plane/src/domains/failover/fencing/fencer.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { samplePackage } from '../../support/plugin.ts'
import { RedfishDouble } from '../../support/redfish-double.ts'
import { secured } from '../../support/secured.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'

const key = newKey()
const LIMIT_MS = 10_000
let lodge: Lodge
let admin: Caller
let node: JoinedNode
let bmc: RedfishDouble
let line: Awaited<ReturnType<typeof secured>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-fence-'))
  bmc = await new RedfishDouble().listen()
  line = await secured(`http://${bmc.host}`, folder)
  lodge = await startLodge({
    environment: { LODGE_EGRESS_CA: line.caFile, LODGE_PLUGIN_KEYS: publicKeyOf(key) },
  })
  admin = await lodge.admin()
  node = await lodge.joinedNode({ name: 'rack-1' })
})
beforeEach(async () => {
  bmc.reset()
  for (const { id } of (await admin.must('GET /api/plugins')).items)
    await admin.must('DELETE /api/plugins/{plugin}', { params: { plugin: id } })
  allow(new URL(line.endpoint).host)
})
afterAll(async () => {
  await lodge?.[Symbol.asyncDispose]()
  await line?.[Symbol.asyncDispose]()
  await bmc?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const allow = (...hosts: string[]) =>
  Object.assign(lodge.controlPlane.services.fence, { limitMs: LIMIT_MS, hosts })
async function redfish(): Promise<void> {
  await admin.must('POST /api/plugins', {
    body: { source: 'bundled', id: 'fence-redfish', acceptPermissions: true },
  })
  const settings = { machines: `rack-1 ${line.endpoint}`, user: 'lodge', password: 'calvin' }
  const params = { plugin: 'fence-redfish' }
  await admin.must('PUT /api/plugins/{plugin}/settings', { params, body: { settings } })
  await admin.must('PATCH /api/plugins/{plugin}', { params, body: { enabled: true } })
}
/** Another plugin of the kind, with this program. */
async function another(main: string): Promise<void> {
  const about = { id: 'another', kinds: ['fence'], permissions: ['nodes.fence'] }
  const packed = samplePackage(about as never, main, key).toString('base64')
  await admin.must('POST /api/plugins', {
    body: { source: 'upload', package: packed, acceptPermissions: true },
  })
  const params = { plugin: 'another' }
  await admin.must('PATCH /api/plugins/{plugin}', { params, body: { enabled: true } })
}
const params = () => ({ id: node.id })
const power = () => admin.must('POST /api/nodes/{id}/failover/power', { params: params() })
const whyNot = async () =>
  (await admin.must('GET /api/nodes/{id}/failover', { params: params() })).whyNotStonith
async function off(): Promise<void> {
  const fencer = await fencerOf(lodge.controlPlane.services)
  await switchOff(fencer, LIMIT_MS, { id: node.id, name: 'rack-1' }, false)
}

test('a node is switched off by its management controller, out of the sandbox and over TLS', async () => {
  expect(await whyNot()).toContain('turn on a plugin')
  await redfish()
  expect(await whyNot()).toBeNull()
  expect(await power()).toEqual({ power: 'on', why: null })
  bmc.isPrompt = true
  await off()
  expect(bmc.resets).toEqual([{ ResetType: 'ForceOff' }])
  expect(await power()).toEqual({ power: 'off', why: null })
})

test('only controllers that the operator configured can be reached', async () => {
  await redfish()
  allow('elsewhere.example.com:443')
  expect(await power()).toMatchObject({
    power: 'unknown',
    why: expect.stringContaining('It lacks the permission network:localhost'),
  })
  expect(bmc.resets).toEqual([])
})

test.each([
  ['fails', `throw new Error('no route to it')`, 'no route to it'],
  ['cannot tell', `return { power: 'unknown' }`, 'cannot tell'],
  ['answers nonsense', `return { power: 'probably off' }`, 'is not valid'],
])('a plugin that %s leaves open whether a node is on', async (_, does, why) => {
  await another(`export default () => ({ fence: { off: () => ({}), status() { ${does} } } })`)
  expect(await power()).toMatchObject({ power: 'unknown', why: expect.stringContaining(why) })
  await expect(off()).rejects.toThrow(why)
})

test('one of two plugins has to be turned off first', async () => {
  await another(
    `export default () => ({ fence: { off: () => ({}), status: () => ({ power: 'off' }) } })`,
  )
  await redfish()
  expect(await whyNot()).toContain('leave one of them on')
  expect((await power()).power).toBe('unknown')
  await expect(off()).rejects.toThrow('leave one of them on')
})
