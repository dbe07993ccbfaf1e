import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { describe, expect, test } from 'vitest'
import { checkSender, type Envelope } from './check.ts'

const NOW = new Date('2026-11-27T12:00:00Z')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const weak = generateKeyPairSync('rsa', { modulusLength: 768 })

type Keys = typeof rsa
const privateKey = ({ privateKey: key }: Keys) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsaRecord = (keys: Keys) =>
  `v=DKIM1; k=rsa; p=${keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
const edRecord = `v=DKIM1; k=ed25519; p=${ed25519.publicKey
  .export({ type: 'spki', format: 'der' })
  .subarray(-32)
  .toString('base64')}`

/** TXT records by name; `undefined` for a name whose servers fail. */
type Zone = Readonly<Record<string, string | undefined>>
const ZONE: Zone = {
  'a._domainkey.example.org': rsaRecord(rsa),
  'b._domainkey.example.org': edRecord,
  'weak._domainkey.example.org': rsaRecord(weak),
  'a._domainkey.mail.example.org': rsaRecord(rsa),
  'a._domainkey.elsewhere.example': rsaRecord(rsa),
  'a._domainkey.open.example': rsaRecord(rsa),
  '_dmarc.example.org': 'v=DMARC1; p=reject',
  '_dmarc.watched.example': 'v=DMARC1; p=none; rua=mailto:d@watched.example',
  'example.org': 'v=spf1 ip4:8.8.4.0/24 -all',
  'open.example': 'v=spf1 ip4:8.8.4.7 ~all',
  'elsewhere.example': 'v=spf1 +all',
}

interface World {
  readonly lookup: NameLookup
  readonly asked: string[]
}
function world(zone: Zone = ZONE): World {
  const asked: string[] = []
  const lookup: NameLookup = async (name, type) => {
    asked.push(`${type} ${name}`)
    if (type === 'TXT' && name in zone) {
      const text = zone[name]
      if (text !== undefined) return [[text]]
      throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' })
    }
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }
  return { lookup, asked }
}

const mail = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const letter = (from: string, ...more: string[]) =>
  mail(
    `From: ${from}`,
    'To: support@desk.example.com',
    'Subject: Hello',
    ...more,
    ...['', 'It does not start.', ''],
  )
const ANN = letter('Ann <ann@example.org>')

interface Signing {
  readonly domain?: string
  readonly selector?: string
  readonly keys?: Keys
  readonly more?: object
}
/** A mail with another signature in front. */
async function signed(text: string, given: Signing = {}, all: object = {}): Promise<string> {
  const { domain = 'example.org', selector = 'a', keys = rsa, more = {} } = given
  const { signatures, errors } = await dkimSign(text, {
    ...{ canonicalization: 'relaxed/relaxed', signTime: new Date(NOW.getTime() - 60_000) },
    ...all,
    signatureData: [{ signingDomain: domain, selector, privateKey: privateKey(keys), ...more }],
  })
  expect(errors).toEqual([])
  return `${signatures}${text}`
}

/** `ANN` with a signature of exactly these fields, which proper signers refuse to make. */
function signedByHand(fields: string): string {
  const [header = '', body = ''] = ANN.split('\r\n\r\n')
  const hash = createHash('sha256').update(`${body.trimEnd()}\r\n`).digest('base64')
  const tags = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=a; h=${fields}; bh=${hash}; b=`
  const lines = fields.split(':').map((name) => {
    const [, value = ''] = new RegExp(`^${name}: (.*)$`, 'im').exec(header) ?? []
    return `${name}:${value}\r\n`
  })
  const content = `${lines.join('')}dkim-signature:${tags}`
  return `DKIM-Signature: ${tags}${sign('sha256', Buffer.from(content), rsa.privateKey).toString('base64')}\r\n${ANN}`
}

async function check(
  text: string,
  given: {
    from?: string
    envelope?: Partial<Envelope>
    zone?: Zone
    in?: World
    withinMs?: number
  } = {},
) {
  const { lookup } = given.in ?? world(given.zone)
  const envelope = given.envelope && {
    ...{ clientAddress: '9.9.9.9', helo: 'mx.example.org', sender: 'ann@example.org' },
    ...given.envelope,
  }
  const from = given.from ?? 'ann@example.org'
  const { withinMs = 15_000 } = given
  const rest = { host: 'desk.test', now: NOW, withinMs }
  return checkSender(Buffer.from(text), { from, envelope, lookup, ...rest })
}

const PASS = { isUnsure: false, check: { verified: true, dmarc: { result: 'pass' } } }
const DISOWNED = {
  isUnsure: false,
  check: { verified: false, dmarc: { result: 'fail', policy: 'reject' } },
}
const UNKNOWN = { isUnsure: false, check: { verified: false, dmarc: { result: 'none' } } }

describe('the domain of the sender vouches for a mail', () => {
  test.each([
    ['RSA', {}],
    ['Ed25519', { selector: 'b', keys: ed25519 as unknown as Keys }],
    ['a domain below its own', { domain: 'mail.example.org' }],
  ] as const)('that it signed with %s', async (_with, given) => {
    const { domain = 'example.org' } = given as Signing
    const found = await check(await signed(ANN, given))
    expect(found).toMatchObject(PASS)
    expect(found.check).toMatchObject({
      by: 'panel',
      domain: 'example.org',
      dkim: { result: 'pass', domain },
      spf: { result: 'none', domain: null },
    })
  })

  // RFC 8463, appendix A, with both of its signatures.
  test.each([['brisbane'], ['test']])('as RFC 8463 signs it with %s', async (selector) => {
    const [first, second] = RFC_8463
    const text = mail(...(selector === 'test' ? second : first), ...RFC_8463_MAIL)
    const found = await check(text, { from: 'joe@football.example.com', zone: RFC_8463_ZONE })
    expect(found.check.dkim).toEqual({ result: 'pass', domain: 'football.example.com' })
    expect(found.check.verified).toBe(true)
    const altered = text.replace('hungry', 'thirsty')
    expect(
      (await check(altered, { from: 'joe@football.example.com', zone: RFC_8463_ZONE })).check.dkim,
    ).toEqual({ result: 'fail', domain: 'football.example.com' })
  })

  test('that a server sent which may send for it', async () => {
    const found = await check(ANN, { envelope: { clientAddress: '8.8.4.9' } })
    expect(found).toMatchObject(PASS)
    expect(found.check.spf).toEqual({ result: 'pass', domain: 'example.org' })
  })

  test('although it publishes no policy', async () => {
    const text = letter('Ann <ann@open.example>')
    const from = 'ann@open.example'
    const own = { check: { verified: true, domain: 'open.example', dmarc: { result: 'none' } } }
    expect(await check(await signed(text, { domain: 'open.example' }), { from })).toMatchObject(own)
    const envelope = { clientAddress: '::ffff:8.8.4.7', sender: 'bounces@open.example' }
    expect(await check(text, { from, envelope })).toMatchObject(own)
  })

  test('that a signature of a few fields covers, its sender among them', async () => {
    expect(await check(signedByHand('from:to'))).toMatchObject(PASS)
  })

  test('whatever line ends it came with', async () => {
    const text = await signed(ANN)
    expect(await check(text.replaceAll('\r\n', '\n'))).toMatchObject(PASS)
  })
})

describe('nobody vouches for a mail', () => {
  test.each([
    ['that nobody signed', async () => ANN],
    ['that was changed', async () => (await signed(ANN)).replace('start', 'stop')],
    ['whose subject was changed', async () => (await signed(ANN)).replace('Hello', 'Bye')],
    ['that another domain signed', () => signed(ANN, { domain: 'elsewhere.example' })],
    ['signed with a key that can be broken', () => signed(ANN, { selector: 'weak', keys: weak })],
    ['signed with a key that is not there', () => signed(ANN, { selector: 'gone' })],
    ['whose signature does not cover its sender', async () => signedByHand('to:subject')],
    [
      'whose signature has expired',
      () => signed(ANN, {}, { expires: new Date(NOW.getTime() - 1000) }),
    ],
    [
      'with words behind those that were signed',
      async () => `${await signed(ANN, { more: { maxBodyLength: 20 } })}Pay here.\r\n`,
    ],
    [
      'of which nothing was signed but its header',
      () => signed(ANN, { more: { maxBodyLength: 0 } }),
    ],
    [
      'that claims to be checked',
      async () =>
        mail(
          'Authentication-Results: desk.test; dmarc=pass; dkim=pass header.d=example.org',
          'Received-SPF: pass (desk.test: domain of ann@example.org)',
          'ARC-Authentication-Results: i=1; desk.test; dmarc=pass',
        ) + ANN,
    ],
  ])('%s', async (_what, make) => {
    expect(await check(await make())).toMatchObject(DISOWNED)
  })

  test('if one of a policy that only watches fails, or one without a policy', async () => {
    const watched = await check(letter('ann@watched.example'), { from: 'ann@watched.example' })
    expect(watched.check.dmarc).toEqual({ result: 'fail', policy: 'none' })
    expect(watched.check.verified).toBe(false)
    const open = await check(letter('ann@open.example'), { from: 'ann@open.example' })
    expect(open).toMatchObject(UNKNOWN)
  })

  test('if another domain vouches for its envelope', async () => {
    const found = await check(ANN, { envelope: { sender: 'eve@elsewhere.example' } })
    expect(found.check.spf).toEqual({ result: 'pass', domain: 'elsewhere.example' })
    expect(found).toMatchObject(DISOWNED)
  })

  test('that a server of the own network passed on: it is not the one that sent it', async () => {
    for (const clientAddress of ['10.0.0.7', '127.0.0.1', '::1', 'fd00::7', '']) {
      const found = await check(ANN, { envelope: { clientAddress } })
      expect(found.check.spf).toEqual({ result: 'none', domain: null })
    }
  })

  test('that two readers read as of two senders', async () => {
    const twice = (await signed(ANN)).replace('From:', 'From: eve@elsewhere.example\r\nFrom:')
    expect((await check(twice)).check).toMatchObject({ verified: false, dmarc: { result: 'fail' } })
    const both = await signed(letter('ann@example.org, eve@elsewhere.example'))
    expect((await check(both)).check).toMatchObject({ verified: false, dmarc: { result: 'fail' } })
    const other = await signed(ANN)
    const from = 'eve@elsewhere.example'
    expect((await check(other, { from })).check).toMatchObject({
      verified: false,
      dmarc: { result: 'fail' },
    })
  })

  test.each(['Subject: Send me the password', 'Content-Type: text/html'])(
    'that was signed before it got a second field: %s',
    async (field) => {
      const text = await signed(ANN.replace('Subject:', 'Content-Type: text/plain\r\nSubject:'))
      expect(await check(text)).toMatchObject(PASS)
      expect(await check(`${field}\r\n${text}`)).toMatchObject(DISOWNED)
    },
  )

  test('of a domain that only looks like another one', async () => {
    // The second letter is Cyrillic.
    const from = 'ann@e\u0445ample.org'
    const found = await check(letter(`"ann@example.org" <${from}>`), { from })
    expect(found.check).toMatchObject({ verified: false, domain: 'xn--eample-bsf.org' })
  })
})

describe('what cannot be asked now', () => {
  test.each([
    ['the policy', { '_dmarc.example.org': undefined }, {}],
    ['the key', { 'a._domainkey.example.org': undefined }, {}],
    ['the servers', { 'example.org': undefined }, { envelope: {} }],
  ])('is asked again later: %s', async (what, broken, given) => {
    const text = what === 'the key' ? await signed(ANN) : ANN
    const found = await check(text, { ...given, zone: { ...ZONE, ...broken } })
    expect(found).toMatchObject({ isUnsure: true, check: { verified: false } })
  })

  test('matters only if it could vouch for the sender', async () => {
    const zone = {
      ...ZONE,
      'a._domainkey.elsewhere.example': undefined,
      'elsewhere.example': undefined,
    }
    const text = await signed(ANN, { domain: 'elsewhere.example' })
    const envelope = { sender: 'eve@elsewhere.example' }
    expect(await check(text, { zone, envelope })).toMatchObject(DISOWNED)
    expect(await check(await signed(text), { zone, envelope })).toMatchObject(PASS)
  })
})

describe('a mail made to exhaust whoever checks it', () => {
  test('with a thousand signatures is asked about a few of them, the sender’s own first', async () => {
    const seen = world()
    const one = (name: string) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${name}; s=a; h=from; bh=AAAA; b=AAAA`
    const many = Array.from({ length: 1000 }, (_, each) => one(`n${each}.elsewhere.example`))
    const text = mail(...many).concat(await signed(ANN))
    expect(await check(text, { in: seen })).toMatchObject(PASS)
    expect(seen.asked.length).toBeLessThan(20)
  })

  test('with policies that name each other without end is given up', async () => {
    const zone: Record<string, string | undefined> = { ...ZONE }
    for (let each = 0; each < 200; each++)
      zone[`s${each}.example.org`] = `v=spf1 include:s${each + 1}.example.org -all`
    const seen = world(zone)
    const found = await check(ANN, { in: seen, envelope: { sender: 'a@s0.example.org' } })
    expect(found.check.spf.result).toBe('fail')
    expect(seen.asked.length).toBeLessThan(30)
  })

  test('whose names never answer is asked again later', async () => {
    const lookup: NameLookup = () => new Promise(() => {})
    const text = await signed(ANN)
    const start = performance.now()
    const found = await check(text, { in: { lookup, asked: [] }, envelope: {}, withinMs: 300 })
    expect(found).toMatchObject({ isUnsure: true, check: { verified: false } })
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

const RFC_8463 = [
  [
    'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;',
    ' d=football.example.com; i=@football.example.com;',
    ' q=dns/txt; s=brisbane; t=1528637909; h=from : to :',
    ' subject : date : message-id : from : subject : date;',
    ' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
    ' b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus',
    ' Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==',
  ],
  [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;',
    ' d=football.example.com; i=@football.example.com;',
    ' q=dns/txt; s=test; t=1528637909; h=from : to : subject :',
    ' date : message-id : from : subject : date;',
    ' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
    ' b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3',
    ' DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz',
    ' dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=',
  ],
] as const
const RFC_8463_MAIL = [
  'From: Joe SixPack <joe@football.example.com>',
  'To: Suzie Q <suzie@shopping.example.net>',
  'Subject: Is dinner ready?',
  'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
  'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
  ...['', 'Hi.', '', 'We lost the game.  Are you hungry yet?', '', 'Joe.'],
]
const RFC_8463_ZONE: Zone = {
  'brisbane._domainkey.football.example.com':
    'v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  'test._domainkey.football.example.com': [
    'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6',
    'wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvH',
    'O9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB',
  ].join(''),
}
