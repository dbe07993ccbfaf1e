import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RedfishDouble } from '../../test/support/redfish-double.ts'
import { tryPlugin } from '../sdk/testing.ts'
import plugin, { machinesIn } from './main.ts'

const manifest: unknown = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'lodge-plugin.json'), 'utf8'),
)
const node = { nodeId: '0c0ffee0-0000-4000-8000-000000000001', name: 'rack-1' }
let bmc: RedfishDouble
beforeAll(async () => {
  bmc = await new RedfishDouble().listen()
})
beforeEach(() => bmc.reset())
afterAll(() => bmc[Symbol.asyncDispose]())

/** The plugin as Lodge runs it; its requests go to the controller. */
const begun = (machines: string, password = 'calvin') =>
  tryPlugin(plugin, {
    manifest,
    settings: { machines, user: 'lodge', password },
    async fetch(url, { method = 'GET', headers = {}, body }) {
      const { pathname } = new URL(url)
      const answer = await fetch(`http://${bmc.host}${pathname}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, headers: {}, text: await answer.text() }
    },
  })

test.each([
  ['by its name, as the only system of the controller', 'rack-1 https://bmc1.example.lan'],
  [
    'by its id and that of the system',
    `${node.nodeId} https://bmc1.example.lan/ System.Embedded.1`,
  ],
])('a node is switched off %s', async (_, machines) => {
  const { call } = await begun(`# ours\n\n${machines}\n`)
  expect(await call('plugin.health')).toMatchObject({ ok: true, message: 'Knows 1 machines' })
  expect(await call('fence.status', node)).toEqual({ power: 'on' })
  await call('fence.off', node)
  expect(bmc.resets).toEqual([{ ResetType: 'ForceOff' }])
  // Switching off takes a moment, during which it is still on.
  expect(await call('fence.status', node)).toEqual({ power: 'on' })
  bmc.power = 'Off'
  expect(await call('fence.status', node)).toEqual({ power: 'off' })
  await call('fence.off', node)
  expect(bmc.resets).toHaveLength(1)
})

test('the state is unknown without a line, with a refused password, or in another state', async () => {
  const { call } = await begun('rack-1 https://bmc1.example.lan')
  await expect(call('fence.off', { ...node, name: 'rack-2' })).rejects.toThrow('rack-2')
  const wrong = await begun('rack-1 https://bmc1.example.lan', 'guess')
  await expect(wrong.call('fence.status', node)).rejects.toThrow('answered 401')
  bmc.power = null
  expect(await call('fence.status', node)).toEqual({ power: 'unknown' })
  expect(bmc.resets).toEqual([])
})

test('a controller with several systems needs the id, and leads nowhere else', async () => {
  bmc.systems.push('Blade.2')
  const { call } = await begun('rack-1 https://bmc1.example.lan')
  await expect(call('fence.off', node)).rejects.toThrow('exactly one system')
  bmc.reset()
  bmc.target = 'https://elsewhere.example.com/redfish/v1/x'
  await expect(call('fence.off', node)).rejects.toThrow('no path')
})

test('a line without an address by HTTPS is refused', () => {
  expect(() => machinesIn('rack-1 http://bmc1.example.lan')).toThrow('rack-1')
  expect(() => machinesIn('rack-1')).toThrow('rack-1')
})
