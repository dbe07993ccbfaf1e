import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PLUGIN_KINDS } from '../../../shared/src/plugins/manifest.ts'
import { TaxQuote, wrongWithQuote } from '../../../shared/src/plugins/tax.ts'
import { createPlugin, templateKinds } from '../create.ts'
import type { ApiReply, Plugin, Request } from '../index.ts'
import { tryPlugin } from '../testing.ts'

const here = import.meta.dirname
const SETTINGS = { token: 'secret', secretKey: 'very secret', webhookSecret: 'as secret' }

interface Around {
  readonly sent?: (string | undefined)[]
  /** The responses of the panel's API. */
  readonly panel?: ApiReply
}

/** Loads the plugin in a folder, with a service that returns this response. */
async function loaded(folder: string, status: number, text: string, around: Around = {}) {
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, 'lodge-plugin.json'), 'utf8'))
  const { default: plugin } = (await import(path.join(folder, 'main.ts'))) as { default: Plugin }
  const settings = { ...SETTINGS, address: 'https://sockets.example.com' }
  const fetch = (_url: string, { body }: Request) => {
    around.sent?.push(body)
    return { status, headers: {}, text }
  }
  const api = () => around.panel ?? { status: 404, body: null }
  return { manifest, ...(await tryPlugin(plugin, { manifest, settings, fetch, api })) }
}
/** A template as a developer starts with it. */
const begun = (name: string, status: number, text: string, around?: Around) =>
  loaded(path.join(here, name), status, text, around)

test('each kind of plugin has a template, which is well under an id of its own', async () => {
  expect(templateKinds().toSorted()).toEqual([...PLUGIN_KINDS].toSorted())
  const into = mkdtempSync(path.join(os.tmpdir(), 'lodge-plugins-'))
  try {
    for (const kind of templateKinds()) {
      const folder = createPlugin(kind, `own-${kind}`, into)
      const { manifest, call } = await loaded(folder, 200, '{}')
      expect(manifest).toMatchObject({ id: `own-${kind}`, kinds: [kind] })
      expect(await call('plugin.health')).toMatchObject({ ok: true })
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      expect(files).toContain(`own-${kind}.test.ts`)
      expect(() => createPlugin(kind, `own-${kind}`, into)).toThrow('choose another id')
    }
    expect(() => createPlugin('other', 'own', into)).toThrow('one of')
    expect(() => createPlugin('event', '../own', into)).toThrow('lower-case letters')
  } finally {
    rmSync(into, { recursive: true })
  }
})

test('the scanner reports only files unknown to its service as clean', async () => {
  const scanAt = async (status: number, text = '') =>
    (await begun('scanner', status, text)).scan([Buffer.from('x')])
  expect(await scanAt(404)).toEqual({ verdict: 'clean' })
  expect(await scanAt(200, '{"name":"Worm"}')).toMatchObject({ verdict: 'infected' })
  await expect(scanAt(503)).rejects.toThrow('503')
})

test('the event is delivered again until the service has accepted it', async () => {
  const event = {
    ...{ id: '11111111-1111-4111-8111-111111111111', type: 'node.offline' },
    ...{ happenedAt: '2026-11-23T12:00:00.000Z', data: { name: 'node-1' } },
  }
  expect(await (await begun('event', 202, '')).call('event.happened', event)).toEqual({})
  await expect((await begun('event', 503, '')).call('event.happened', event)).rejects.toThrow('503')
})

test('the event plugin asks the panel for additional data', async () => {
  const event = {
    ...{ id: '11111111-1111-4111-8111-111111111111', type: 'backup.failed' },
    ...{ happenedAt: '2026-11-23T12:00:00.000Z', data: { serverId: 's1', reason: 'Full' } },
  }
  const ownerSent = async (panel: ApiReply) => {
    const sent: (string | undefined)[] = []
    await (await begun('event', 202, '', { panel, sent })).call('event.happened', event)
    return (JSON.parse(sent[0] ?? '') as { ownerId: unknown }).ownerId
  }
  expect(await ownerSent({ status: 200, body: { ownerId: 'ann' } })).toBe('ann')
  expect(await ownerSent({ status: 404, body: { detail: 'There is no such server' } })).toBeNull()
  const busy = { status: 429, body: { detail: 'Too many requests' } }
  await expect(ownerSent(busy)).rejects.toThrow('429: Too many requests')
})

test('the tax comes from the service, and an unknown address is a refusal for the customer', async () => {
  const buyer = {
    ...{ id: '11111111-1111-4111-8111-111111111111', country: 'DE' },
    ...{ postalCode: '', region: '', taxNumber: '' },
  }
  const asked = {
    ...{ currency: 'EUR', buyer },
    lines: [
      { id: '1', kind: 'subscription' as const, description: 'Plan', amount: 1000 },
      { id: '2', kind: 'setup' as const, description: '', amount: 500 },
    ],
  }
  const quote = async (status: number, text = '') =>
    (await begun('tax', status, text)).call('tax.quote', asked)
  const lines = [
    { id: '1', rate: '19', tax: 190 },
    { id: '2', rate: '7', tax: 35 },
  ]
  const quoted = TaxQuote.parse(await quote(200, JSON.stringify({ lines })))
  expect([quoted.total, wrongWithQuote(asked, quoted)]).toEqual([225, null])
  expect(quoted.taxes.map(({ percent, amount }) => [percent, amount])).toEqual([
    ['19', 190],
    ['7', 35],
  ])
  await expect(quote(422)).rejects.toMatchObject({ code: 'bad_address' })
  await expect(quote(503)).rejects.toThrow('503')
})

test('the fence says off only if the socket does', async () => {
  const node = { nodeId: '11111111-1111-4111-8111-111111111111', name: 'node-1' }
  const status = async (text: string) =>
    (await begun('fence', 200, text)).call('fence.status', node)
  expect(await status('{"power":"off"}')).toEqual({ power: 'off' })
  expect(await status('{"power":"on"}')).toEqual({ power: 'on' })
  for (const other of ['{}', '{"power":"toString"}', 'null'])
    expect(await status(other)).toEqual({ power: 'unknown' })
  await expect((await begun('fence', 401, '')).call('fence.off', node)).rejects.toThrow('401')
})

test('the payment’s state comes from the service, and only recently signed events are accepted', async () => {
  const found = {
    ...{ id: 'p1', status: 'disputed', currency: 'EUR', amount: 1000, amountRefunded: 0 },
    ...{ metadata: { invoiceId: 'x' } },
    disputes: [{ ref: 'd1', state: 'open', amount: 1000, reason: 'Not received' }],
  }
  const fetched = async (status: number) =>
    (await begun('payment', status, JSON.stringify(found))).call('payment.fetch', {
      ...{ kind: 'payment', ref: 'p1' },
    })
  expect(await fetched(200)).toMatchObject({
    object: { ref: 'p1', status: 'disputed', disputes: [{ ref: 'd1', state: 'open' }] },
  })
  expect(await fetched(404)).toEqual({ object: null })
  await expect(fetched(500)).rejects.toThrow('500')

  const now = '2026-11-26T12:00:00.000Z'
  const body = JSON.stringify({ id: 'e1', type: 'paid', payment: 'p1' })
  const heard = async (at: number, secret = SETTINGS.webhookSecret) => {
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    return (await begun('payment', 200, '{}')).call('payment.verifyWebhook', {
      headers: { 'x-signature': `${at},${signature}` },
      bodyBase64: Buffer.from(body).toString('base64'),
      now,
    })
  }
  const seconds = Date.parse(now) / 1000
  expect(await heard(seconds)).toMatchObject({
    events: [{ id: 'e1', objects: [{ kind: 'payment', ref: 'p1' }] }],
  })
  for (const bad of [heard(seconds - 301), heard(seconds, 'another'), heard(Number.NaN)])
    await expect(bad).rejects.toMatchObject({ code: 'bad_signature' })
})

test('the style formats a notification as one text', async () => {
  const { format } = await begun('notification-style', 200, '')
  expect(await format({ severity: 'error', title: 'It crashed', body: 'Twice' })).toEqual({
    username: 'My host',
    text: '❌ It crashed\nTwice\nhttps://panel.example.com/notifications',
  })
})

test('the plugin answers its page, and refuses unknown methods', async () => {
  const { ask } = await begun('page', 200, '')
  expect(await ask('greet', { language: 'en' })).toEqual({
    text: 'Hello, customer! You sent {"language":"en"}.',
  })
  await expect(ask('other')).rejects.toThrow('no other')
})
