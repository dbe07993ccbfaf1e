import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tryPlugin } from '../sdk/testing.ts'
import plugin from './main.ts'

const manifest: unknown = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'lodge-plugin.json'), 'utf8'),
)
const onServer = (
  id: string,
  permissions: readonly ['power.start'] | readonly ['metrics.view'],
) => ({
  server: { id, name: 'lobby', kind: 'container' as const, permissions: [...permissions] },
})
const ONE = onServer('22222222-2222-4222-8222-222222222222', ['power.start'])
const OTHER = onServer('33333333-3333-4333-8333-333333333333', ['power.start'])

test('a server has tasks of its own, which are added, marked and removed', async () => {
  const { ask, call } = await tryPlugin(plugin, { manifest })
  expect(await call('plugin.health')).toMatchObject({ ok: true })
  expect(await ask('list', null, ONE)).toEqual({ tasks: [], mayChange: true })
  await ask('add', { text: ' Update the map ' }, ONE)
  await ask('add', { text: 'Invite Ann' }, ONE)
  expect(await ask('mark', { id: 1, done: true }, ONE)).toMatchObject({
    tasks: [
      { id: 1, text: 'Update the map', done: true },
      { id: 2, text: 'Invite Ann', done: false },
    ],
  })
  expect(await ask('list', null, OTHER)).toMatchObject({ tasks: [] })
  expect(await ask('remove', { id: 1 }, ONE)).toMatchObject({ tasks: [{ id: 2 }] })
})

test('two concurrent changes both take effect', async () => {
  const { ask } = await tryPlugin(plugin, { manifest })
  await Promise.all(['a', 'b', 'c'].map((text) => ask('add', { text }, ONE)))
  expect(await ask('list', null, ONE)).toMatchObject({ tasks: [{}, {}, {}] })
})

test('people who may only view a server cannot change tasks', async () => {
  const { ask } = await tryPlugin(plugin, { manifest })
  const looking = onServer(ONE.server.id, ['metrics.view'])
  expect(await ask('list', null, looking)).toMatchObject({ mayChange: false })
  await expect(ask('add', { text: 'x' }, looking)).rejects.toThrow('only look')
})

test('a page cannot exceed the limits of a list', async () => {
  const { ask } = await tryPlugin(plugin, { manifest })
  for (const payload of [null, {}, { text: '  ' }, { text: 'x'.repeat(201) }, 'text'])
    await expect(ask('add', payload, ONE)).rejects.toThrow()
  for (let at = 0; at < 100; at++) await ask('add', { text: `task ${at}` }, ONE)
  await expect(ask('add', { text: 'one more' }, ONE)).rejects.toThrow('at most 100')
  await expect(ask('constructor', null, ONE)).rejects.toThrow('no constructor')
  await expect(ask('list', null, { server: null })).rejects.toThrow('server')
})
