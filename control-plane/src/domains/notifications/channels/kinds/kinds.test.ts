import { generateKeyPairSync } from 'node:crypto'
import { CHANNEL_KINDS, STYLED_KINDS } from '@lodge/shared/notification-channels.ts'
import { describe, expect, test } from 'vitest'
import { pushBrowser } from '../../../../../../test/api/notifications/push-browser.ts'
import type { Parcel } from '../message.ts'
import { vapidOf } from '../web-push/vapid.ts'
import { KINDS } from './all.ts'
import type { Sending, Target } from './kind.ts'

const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const browser = pushBrowser()
const TARGETS: Readonly<Record<keyof typeof KINDS, Target>> = {
  webhook: { url: 'https://example.com/hook' },
  discord: { url: 'https://discord.com/api/webhooks/123/abc-DEF_1' },
  slack: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  telegram: { to: '-1001234567890', token: `123456789:${'A'.repeat(35)}` },
  ntfy: { url: 'https://ntfy.sh/my-topic', token: 'tk_1' },
  gotify: { url: 'https://gotify.example.com/path/', token: 'AbCdEf.123' },
  matrix: { url: 'https://matrix.org', to: '!room:matrix.org', token: 'syt_abc' },
  teams: { url: 'https://prod-1.westeurope.logic.azure.com:443/workflows/a/triggers?sig=x' },
  web_push: { url: 'https://push.example.com/send/abc', keys: browser.keys },
}
const parcel = (given: Partial<Parcel> = {}): Parcel => ({
  ...{ id: '0190-id', type: 'server.crashed', severity: 'error', title: 'Survival', body: 'Why.' },
  ...{ link: '/servers/1/console', server: { id: '1', name: 'Survival' } },
  ...{ at: '2026-11-23T12:00:00.000Z', count: 1, language: 'en', items: [], ...given },
})
const request = (
  kind: keyof typeof KINDS,
  given: Partial<Parcel> = {},
  style: 'plain' | 'card' = 'plain',
  styled?: Sending['styled'],
) => {
  const outgoing = KINDS[kind].request({
    ...{ target: TARGETS[kind], parcel: parcel(given), attempt: 1, style, styled },
    panel: { name: 'Lodge', url: 'https://panel.example.com' },
    ...{ secrets: ['whsec_AAAA'], now: new Date('2026-11-23T12:00:00Z') },
    push: { vapid: vapidOf(jwk), icon: '/notification.png' },
  })
  const { body } = outgoing
  return { ...outgoing, sent: JSON.parse(typeof body === 'string' ? body : browser.read(body)) }
}
const kinds = CHANNEL_KINDS.filter((kind) => kind !== 'email')
const LONG = '𝓛😀*<@everyone>&"'.repeat(4000)

describe.each(kinds)('a message to %s', (kind) => {
  test('goes to a target that its kind accepts, and names the page', () => {
    expect(KINDS[kind].complain(TARGETS[kind])).toBeUndefined()
    // A browser opens only pages of the panel that it has the notifications of.
    const page = kind === 'web_push' ? '' : 'https://panel.example.com'
    expect(JSON.stringify(request(kind).sent)).toContain(`${page}/servers/1/console`)
  })

  test('is below 20 kB and well-formed, however long its text', () => {
    const item = { ...parcel({ title: LONG }), body: LONG }
    for (const given of [
      { title: LONG, body: LONG },
      { items: Array.from({ length: 500 }, () => item), count: 500 },
    ]) {
      const { body, sent } = request(kind, given)
      const most = { matrix: 64_000, web_push: 4097 } as Readonly<Record<string, number>>
      expect(Buffer.byteLength(body)).toBeLessThan(most[kind] ?? 20_000)
      expect(JSON.stringify(sent).isWellFormed()).toBe(true)
    }
  })
})

describe.each(STYLED_KINDS)('a plugin’s body for %s', (kind) => {
  test('goes to the address of the channel, with its headers', () => {
    const plain = request(kind)
    const styled = request(kind, {}, 'plain', {
      text: 'Mine',
      allowed_mentions: { parse: ['everyone'] },
    })
    expect(styled).toMatchObject({ url: plain.url, method: plain.method })
    expect(Object.keys(styled.headers)).toEqual(Object.keys(plain.headers))
    const mentions = { parse: kind === 'discord' ? [] : ['everyone'] }
    expect(styled.sent).toEqual({ text: 'Mine', allowed_mentions: mentions })
  })
})

test('a browser gets what fits into one push message, and opens only pages of the panel', () => {
  const hungry = '\u0001'.repeat(4000)
  const { sent, body, headers, url } = request('web_push', { title: hungry, body: hungry })
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4096)
  expect(url).toBe(TARGETS.web_push.url)
  expect(sent).toMatchObject({ link: '/servers/1/console', icon: '/notification.png' })
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    ttl: '604800',
    topic: expect.stringMatching(/^[\w-]{32}$/),
  })
  expect(request('web_push', { severity: 'info' }).headers).toMatchObject({
    urgency: 'low',
    ttl: '86400',
  })
})

test('a browser that was away sees the newest message about a thing, and every digest', () => {
  const topic = (given: Partial<Parcel>) => request('web_push', given).headers.topic
  expect(topic({ id: '2', title: 'Later' })).toBe(topic({ id: '1' }))
  expect(topic({ link: '/servers/2/console' })).not.toBe(topic({}))
  const items = [parcel()]
  expect(topic({ id: '2', items })).not.toBe(topic({ id: '1', items }))
})

test('Discord gets at most what it takes, and nobody is mentioned', () => {
  const { sent: plain } = request('discord', { body: LONG })
  expect(plain.content.length).toBeLessThanOrEqual(2000)
  expect(plain.allowed_mentions).toEqual({ parse: [] })
  const { sent: card } = request('discord', { title: LONG, body: LONG }, 'card')
  expect(card.embeds).toHaveLength(1)
  expect(card.embeds[0].title.length).toBeLessThanOrEqual(256)
  expect(card.embeds[0].description.length).toBeLessThanOrEqual(4096)
  expect(request('discord', { title: '**a** [b](c) <@1>' }).sent.content).toContain(
    String.raw`\*\*a\*\* \[b\]\(c\) \<\@1\>`,
  )
})

test('Slack reads no markup in a text', () => {
  const { sent } = request('slack', { title: '<!channel> & <http://x|y>' })
  expect(sent.text).toContain('&lt;!channel&gt; &amp; &lt;http://x|y&gt;')
  expect(sent.blocks[0].text.text).not.toContain('<!channel>')
})

test('Telegram gets plain text of at most 4,096 characters, with the page', () => {
  const { sent, url } = request('telegram', { body: LONG })
  expect(url).toBe(`https://api.telegram.org/bot${TARGETS.telegram.token}/sendMessage`)
  expect(sent).not.toHaveProperty('parse_mode')
  expect(sent.text.length).toBeLessThanOrEqual(4096)
})

test('ntfy, Gotify and Matrix are called as their servers want it', () => {
  expect(request('ntfy')).toMatchObject({
    url: 'https://ntfy.sh/',
    headers: { authorization: 'Bearer tk_1' },
    sent: { topic: 'my-topic', priority: 5 },
  })
  expect(request('gotify')).toMatchObject({
    url: 'https://gotify.example.com/path/message',
    headers: { 'x-gotify-key': 'AbCdEf.123' },
  })
  const matrix = request('matrix', { title: '<b>x</b>' })
  expect(matrix).toMatchObject({
    method: 'PUT',
    url: 'https://matrix.org/_matrix/client/v3/rooms/!room%3Amatrix.org/send/m.room.message/0190-id',
  })
  expect(matrix.sent.formatted_body).not.toContain('<b>x')
})

test('addresses with a secret are shown without it', () => {
  const shown = (kind: 'discord' | 'slack' | 'teams') =>
    KINDS[kind].shown?.(new URL(TARGETS[kind].url ?? ''))
  expect(shown('discord')).toBe('https://discord.com/api/webhooks/123/…')
  expect(shown('slack')).toBe('https://hooks.slack.com/services/T0/B0/…')
  expect(KINDS.web_push.shown?.(new URL(TARGETS.web_push.url ?? ''))).toBe(
    'https://push.example.com/…',
  )
  expect(shown('teams')).toBe('https://prod-1.westeurope.logic.azure.com/…')
})
