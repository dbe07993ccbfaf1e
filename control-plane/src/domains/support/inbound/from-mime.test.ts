import { expect, test } from 'vitest'
import { mailOfMime } from './from-mime.ts'

const raw = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`)
const HEAD = ['From: Ann <ann@example.org>', 'To: support@desk.example.com', 'Message-ID: <1@x>']
const multi = (kind: string, ...parts: string[][]) => [
  `Content-Type: multipart/${kind}; boundary="b"`,
  '',
  ...parts.flatMap((part) => ['--b', ...part]),
  '--b--',
]

// Formats that mail programs and servers actually produce.
test.each([
  ['plain text', ['Subject: Hi', '', 'Hello'], { subject: 'Hi', text: 'Hello' }],
  [
    'text and HTML, of which the text counts',
    multi('alternative', ['', 'Hello'], ['Content-Type: text/html', '', '<p>Other</p>']),
    { text: 'Hello' },
  ],
  [
    'HTML alone',
    [
      'Content-Type: text/html; charset=utf-8',
      '',
      '<style>p{}</style><p>Hello &amp; <b>good</b> day</p><script>x</script><p>Ann</p>',
    ],
    { text: 'Hello & good day\nAnn' },
  ],
  [
    'encoded words and quoted-printable in Latin-1',
    [
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe?=',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'sch=F6n',
    ],
    { subject: 'Grüße', text: 'schön' },
  ],
  [
    'base64 in UTF-8',
    [
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('Привет').toString('base64'),
    ],
    { text: 'Привет' },
  ],
  [
    'a folded subject and References over several lines',
    ['Subject: a', ' b', 'In-Reply-To: <9@x>', 'References: <7@x>', ' <8@x> <9@x>', '', 'x'],
    { subject: 'a b', answers: ['<9@x>', '<8@x>', '<7@x>'] },
  ],
  [
    'an answer of a program that writes words into In-Reply-To',
    ['In-Reply-To: Your message of Monday <5@x> "hm"', '', 'x'],
    { answers: ['<5@x>'] },
  ],
  [
    'two fields of a name, of which the first counts',
    ['Auto-Submitted: auto-replied', 'Auto-Submitted: no', '', 'x'],
    { automatic: 'auto_reply' },
  ],
  [
    'a claim to be authentic, which nobody believes',
    ['Authentication-Results: desk.example.com; dmarc=pass', '', 'x'],
    { sender: null },
  ],
  ['null bytes and other control characters', ['', 'a\0b\x07c'], { text: 'abc' }],
  [
    'a calendar, a picture in the text and a forwarded mail as files',
    multi(
      'mixed',
      ['', 'See below'],
      ['Content-Type: image/png; name="a.png"', 'Content-Disposition: inline', '', 'x'],
      ['Content-Type: message/rfc822', '', 'Subject: inner', '', 'Inner text'],
    ),
    { text: 'See below' },
  ],
])('parses a mail with %s', async (_what, lines, expected) => {
  expect(await mailOfMime(raw(...HEAD, ...lines))).toMatchObject({
    from: 'ann@example.org',
    messageId: '<1@x>',
    ...expected,
  })
})

test.each([
  ['"Example, Ann" <ann@example.org>', 'Example, Ann'],
  ['=?utf-8?q?J=C3=BCrgen?= <ann@example.org>', 'Jürgen'],
  ['ann@example.org', ''],
  // An address could pass for that of the sender.
  ['"support@desk.example.com" <ann@example.org>', ''],
  ['=?utf-8?q?support=EF=B9=ABdesk.example.com?= <ann@example.org>', ''],
])('the name of %s is %j', async (from, fromName) => {
  expect(await mailOfMime(raw(`From: ${from}`, '', 'x'))).toMatchObject({ fromName })
})

test('files keep their names and bytes', async () => {
  const file = [
    'Content-Type: application/pdf',
    "Content-Disposition: attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.pdf",
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0=',
  ]
  const { files } = await mailOfMime(raw(...HEAD, ...multi('mixed', ['', 'x'], file)))
  expect(files).toEqual([{ name: 'grüße.pdf', bytes: Buffer.from('%PDF-') }])
})

test('a mail without an id always gets the same one', async () => {
  const one = raw('From: ann@example.org', '', 'x')
  const { messageId } = await mailOfMime(one)
  expect(messageId).toMatch(/^<[0-9a-f]{64}@without-id\.invalid>$/)
  expect((await mailOfMime(one)).messageId).toBe(messageId)
})

const nested = (depth: number): string[] =>
  depth === 0
    ? ['', 'x']
    : [
        `Content-Type: multipart/mixed; boundary="b${depth}"`,
        ...['', `--b${depth}`, ...nested(depth - 1), `--b${depth}--`],
      ]

test.each([
  ['without a sender', ['Subject: x', '', 'x']],
  ['with two senders', ['From: a@example.org, b@example.org', '', 'x']],
  ['with two From fields', ['From: a@example.org', 'From: b@example.org', '', 'x']],
  ['with an empty From field', ['From:', 'From: b@example.org', '', 'x']],
  ['with a sender that is no address', ['From: "a@b" <not an address>', '', 'x']],
  ['of 5,000 parts', [...HEAD, ...multi('mixed', ...Array<string[]>(5000).fill(['', 'x']))]],
  ['nested a hundred deep', [...HEAD, ...nested(100)]],
  ['of 100,000 lines of header', [...HEAD, ...Array<string>(100_000).fill(' x'), '', 'x']],
  ['of a million lines', [...HEAD, '', '\n'.repeat(1_000_000)]],
  ['with a megabyte of header', [...HEAD, `X-Long: ${'x'.repeat(1_000_000)}`, '', 'x']],
])('quickly refuses a mail %s', async (_what, lines) => {
  const start = performance.now()
  await expect(mailOfMime(raw(...lines))).rejects.toMatchObject({ code: 'validation_failed' })
  expect(performance.now() - start).toBeLessThan(1500)
})

test('accepts a text with many lines that look like boundaries', async () => {
  const signed = Array<string>(2000).fill('-- ').join('\r\n')
  expect(await mailOfMime(raw(...HEAD, '', signed))).toMatchObject({ from: 'ann@example.org' })
})

test('a sender cannot inject a line into fields', async () => {
  const subject = `=?utf-8?B?${Buffer.from('a\r\nBcc: eve@example.org').toString('base64')}?=`
  const mail = await mailOfMime(raw(...HEAD, `Subject: ${subject}`, '', 'x'))
  expect(mail.recipients).toEqual(['support@desk.example.com'])
})
