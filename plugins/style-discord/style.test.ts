import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tryPlugin } from '../sdk/testing.ts'
import plugin from './main.ts'

const manifest: unknown = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'lodge-plugin.json'), 'utf8'),
)
const tryStyle = (settings = {}) => tryPlugin(plugin, { manifest, settings })
const embedOf = (body: Readonly<Record<string, unknown>>) =>
  (body.embeds as Record<string, unknown>[])[0]

test('a notification is an embed that names the panel, the server and the page', async () => {
  const { format, call } = await tryStyle()
  expect(await call('plugin.health')).toMatchObject({ ok: true })
  const server = { id: '1', name: 'Survival' }
  expect(embedOf(await format({ title: 'It crashed', body: 'Twice', server }))).toMatchObject({
    author: { name: 'My host' },
    title: 'It crashed',
    description: 'Twice',
    url: 'https://panel.example.com/notifications',
    timestamp: '2026-11-23T12:00:00.000Z',
    fields: [{ name: 'Server', value: 'Survival' }],
  })
})

test('each severity has the colour of its setting, and none if that is not a colour', async () => {
  const { format, call } = await tryStyle({ warnColour: '#00FF00', errorColour: 'crimson' })
  const colour = async (severity: 'info' | 'warn' | 'error') =>
    embedOf(await format({ severity }))?.color
  expect([await colour('info'), await colour('warn')]).toEqual([0x3b5bdb, 0x00ff00])
  expect(await colour('error')).toBeUndefined()
  expect(await call('plugin.health')).toMatchObject({ ok: false })
})

test('names are escaped, and the longest text fits into Discord’s limits', async () => {
  const { format } = await tryStyle()
  expect(embedOf(await format({ title: '@everyone *now*' }))?.title).toBe('\\@everyone \\*now\\*')
  const long = '😀*'.repeat(8000)
  const server = { id: '1', name: long }
  const embed = embedOf(await format({ title: long, body: long, server, panel: long }))
  const { author, title, description, fields } = embed as {
    author: { name: string }
    title: string
    description: string
    fields: { value: string }[]
  }
  const texts = [author.name, title, description, fields[0]?.value ?? '']
  // Discord refuses embeds with more than 6,000 characters.
  expect(texts.join('').length).toBeLessThan(5900)
  expect(texts.every((text) => text.isWellFormed() && text.length > 200)).toBe(true)
})
