import { HTML, joined, mail, OURS, PLAIN, part, type Sample } from './sample.ts'

const TEXT = 'See below.'
const text = part(PLAIN, TEXT)
const html = part(HTML, '<p>See <b>below</b>.</p>')
const multi = (kind: string, border: string, more = '') => ({
  'Content-Type': `multipart/${kind}; boundary="${border}"${more}`,
})
const file = (name: string, fields: Readonly<Record<string, string>> = {}, body = 'SXQgc3RvcHMu') =>
  part(
    {
      'Content-Type': `application/octet-stream; name="${name}"`,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Transfer-Encoding': 'base64',
      ...fields,
    },
    body,
  )
const png = (fields: Readonly<Record<string, string>>) =>
  part(
    { 'Content-Type': 'image/png', 'Content-Transfer-Encoding': 'base64', ...fields },
    'iVBORw0KGgo=',
  )

interface Made {
  readonly what: string
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
  readonly text?: string
  readonly files?: readonly string[]
  readonly answers?: readonly string[]
}

const both = joined('alt', text, html)
const alternative = part(multi('alternative', 'alt'), both)

const MADE: readonly Made[] = [
  { what: 'text and HTML', fields: multi('alternative', 'alt'), body: both },
  {
    what: 'HTML before the text',
    fields: multi('alternative', 'b'),
    body: joined('b', html, text),
  },
  {
    what: 'text and HTML with a picture in it',
    fields: multi('related', 'b', '; type="multipart/alternative"'),
    body: joined(
      'b',
      alternative,
      png({ 'Content-ID': '<logo@x>', 'Content-Disposition': 'inline; filename="logo.png"' }),
    ),
    files: ['logo.png'],
  },
  {
    what: 'a file beside text and HTML',
    fields: multi('mixed', 'b'),
    body: joined('b', alternative, file('latest.log')),
    files: ['latest.log'],
  },
  {
    what: 'a picture of Apple Mail between two texts',
    fields: multi('mixed', 'Apple-Mail=_1'),
    body: joined(
      'Apple-Mail=_1',
      text,
      png({ 'Content-Disposition': 'inline; filename=IMG_0001.png' }),
      part(PLAIN, 'Sent from my iPhone'),
    ),
    text: `${TEXT}\n\nSent from my iPhone`,
    files: ['IMG_0001.png'],
  },
  {
    what: 'words before the first border and behind the last',
    fields: multi('mixed', 'b'),
    body: `This is a multi-part message in MIME format.\n${joined('b', text)}Epilogue`,
  },
  {
    what: 'a border with blanks and signs (RFC 2046)',
    fields: multi('mixed', "gc0pJq0M:08jU534c0p'=_+,-./? x"),
    body: joined("gc0pJq0M:08jU534c0p'=_+,-./? x", text),
  },
  {
    what: 'a border without quotes',
    fields: { 'Content-Type': 'multipart/mixed; boundary=simple-boundary' },
    body: joined('simple-boundary', text),
  },
  {
    what: 'a last border that is missing',
    fields: multi('mixed', 'b'),
    body: `--b\n${text}`,
  },
  {
    what: 'a signature of OpenPGP (RFC 3156)',
    fields: multi('signed', 'b', '; micalg=pgp-sha256; protocol="application/pgp-signature"'),
    body: joined(
      'b',
      text,
      part(
        {
          'Content-Type': 'application/pgp-signature; name="signature.asc"',
          'Content-Disposition': 'attachment; filename="signature.asc"',
        },
        '-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----',
      ),
    ),
    files: ['signature.asc'],
  },
  {
    what: 'a signature of S/MIME (RFC 8551)',
    fields: multi('signed', 'b', '; micalg=sha-256; protocol="application/pkcs7-signature"'),
    body: joined('b', text, file('smime.p7s', { 'Content-Type': 'application/pkcs7-signature' })),
    files: ['smime.p7s'],
  },
  {
    what: 'what Outlook sends in its own format',
    fields: multi('mixed', 'b'),
    body: joined('b', text, file('winmail.dat', { 'Content-Type': 'application/ms-tnef' })),
    files: ['winmail.dat'],
  },
  {
    what: 'a calendar',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      alternative,
      part(
        {
          'Content-Type': 'text/calendar; charset=utf-8; method=REQUEST; name="invite.ics"',
          'Content-Disposition': 'attachment; filename="invite.ics"',
        },
        'BEGIN:VCALENDAR\nEND:VCALENDAR',
      ),
    ),
    files: ['invite.ics'],
  },
  {
    what: 'a name in pieces (RFC 2231)',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      text,
      file('x', {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment;\n filename*0*=utf-8''gr%C3%B6%C3%9F;\n filename*1*=e%20;\n filename*2="of it.log"`,
      }),
    ),
    files: ['größe of it.log'],
  },
  {
    what: 'a name in percent signs (RFC 2231)',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      text,
      file('x', { 'Content-Disposition': "attachment; filename*=iso-8859-1'de'gr%F6%DFe.log" }),
    ),
    files: ['größe.log'],
  },
  {
    what: 'a name as an encoded word, which many programs write',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      text,
      file('x', { 'Content-Disposition': 'attachment; filename="=?utf-8?B?Z3LDtsOfZS5sb2c=?="' }),
    ),
    files: ['größe.log'],
  },
  {
    what: 'a name beside the type alone',
    fields: multi('mixed', 'b'),
    body: joined('b', text, file('old.log', { 'Content-Disposition': 'attachment' })),
    files: ['old.log'],
  },
  {
    what: 'two files of the same name',
    fields: multi('mixed', 'b'),
    body: joined('b', text, file('a.log'), file('a.log', {}, 'QW5vdGhlci4=')),
    files: ['a.log', 'a.log'],
  },
  {
    what: 'a text as a file',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      text,
      part({ ...PLAIN, 'Content-Disposition': 'attachment; filename="server.txt"' }, 'motd=Hi'),
    ),
    files: ['server.txt'],
  },
  {
    what: 'a mail within the mail',
    fields: multi('mixed', 'b'),
    body: joined(
      'b',
      text,
      part(
        {
          'Content-Type': 'message/rfc822',
          'Content-Disposition': 'attachment; filename="old.eml"',
        },
        'From: eve@example.net\nSubject: Other\n\nOther text',
      ),
    ),
    files: ['old.eml'],
  },
  {
    what: 'comments and groups in its addresses (RFC 5322, A.5, A.1.3)',
    fields: {
      ...PLAIN,
      From: 'ann@example.org (Ann Example)',
      To: 'A Group(Some people): support@desk.example.com, Joe Q. Public <john@example.com>;',
    },
    body: TEXT,
  },
  {
    what: 'a name in quotes with a comma in it',
    fields: { ...PLAIN, From: '"Example, Ann" <ann@example.org>' },
    body: TEXT,
  },
  {
    what: 'a name that looks like another address',
    fields: { ...PLAIN, From: '"support@desk.example.com" <ann@example.org>' },
    body: TEXT,
  },
  {
    what: 'an address in capitals',
    fields: { ...PLAIN, From: 'ANN@EXAMPLE.ORG' },
    body: TEXT,
  },
  {
    what: 'dates and fields in old spellings (RFC 5322, A.6)',
    fields: { ...PLAIN, Date: '16 Nov 26 10:05 GMT', 'X-Mailer': 'Old' },
    body: TEXT,
  },
  {
    what: 'what it answers in References alone',
    fields: { ...PLAIN, 'In-Reply-To': '', References: `<first@example.org>\r\n ${OURS}` },
    body: TEXT,
    answers: [OURS, '<first@example.org>'],
  },
  {
    what: 'what it answers among words',
    fields: {
      ...PLAIN,
      'In-Reply-To': `Message from Support of "Mon, 16 Nov 2026 10:00" ${OURS}`,
      References: '',
    },
    body: TEXT,
    answers: [OURS],
  },
  {
    what: 'what it answers twice',
    fields: { ...PLAIN, 'In-Reply-To': OURS, References: `<a@x> ${OURS}` },
    body: TEXT,
    answers: [OURS, '<a@x>'],
  },
  { what: 'HTML alone', fields: HTML, body: '<p>See&nbsp;<b>below</b>.</p>', text: 'See below.' },
  {
    what: 'HTML with a list',
    fields: HTML,
    body: '<div>I did:</div><ul><li>stop</li><li>start</li></ul>',
    text: 'I did:\nstop\nstart',
  },
  {
    what: 'an empty text beside HTML',
    fields: multi('alternative', 'b'),
    body: joined('b', part(PLAIN, ''), html),
  },
]

export const STRUCTURED: readonly Sample[] = MADE.map(({ what, fields, body, ...expected }) => ({
  ...{ what, raw: mail(fields, body), text: TEXT },
  ...expected,
}))
