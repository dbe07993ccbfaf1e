import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Plugin } from '../index.ts'
import { tryPlugin } from '../testing.ts'

const here = import.meta.dirname
const templates = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** A template as somebody begins with it, at a service that answers so. */
async function begun(name: string, status: number, text: string) {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(here, name, 'lodge-plugin.json'), 'utf8'),
  )
  const { default: plugin } = (await import(path.join(here, name, 'main.ts'))) as {
    default: Plugin
  }
  const fetch = () => ({ status, headers: {}, text })
  return tryPlugin(plugin, { manifest, settings: { token: 'secret' }, fetch })
}

test.each(templates)('the template %s is a plugin that is well', async (name) => {
  const { call } = await begun(name, 200, '{}')
  expect(await call('plugin.health')).toMatchObject({ ok: true })
})

test('the scanner takes for clean only what its service does not know', async () => {
  const scanAt = async (status: number, text = '') =>
    (await begun('scanner', status, text)).scan([Buffer.from('x')])
  expect(await scanAt(404)).toEqual({ verdict: 'clean' })
  expect(await scanAt(200, '{"name":"Worm"}')).toMatchObject({ verdict: 'infected' })
  await expect(scanAt(503)).rejects.toThrow('503')
})

test('the style words a notification as one text', async () => {
  const { format } = await begun('notification-style', 200, '')
  expect(await format({ severity: 'error', title: 'It crashed', body: 'Twice' })).toEqual({
    username: 'My host',
    text: '❌ It crashed\nTwice\nhttps://panel.example.com/notifications',
  })
})

test('the page is answered by its plugin, and refused what that does not know', async () => {
  const { ask } = await begun('page', 200, '')
  expect(await ask('greet', { language: 'en' })).toEqual({
    text: 'Hello, customer! You sent {"language":"en"}.',
  })
  await expect(ask('other')).rejects.toThrow('no other')
})
