import { mail, PLAIN, type Sample } from './sample.ts'

/** Texts in the character sets in which people write mails, as base64. */
const CHARSETS: readonly (readonly [charset: string, text: string, base64: string])[] = [
  [
    'iso-8859-1',
    'Grüße aus Köln: él está aquí, ça marche',
    'R3L832UgYXVzIEv2bG46IOlsIGVzdOEgYXF17Swg52EgbWFyY2hl',
  ],
  [
    'iso-8859-2',
    'Příliš žluťoučký kůň, zażółć gęślą jaźń',
    'UPjtbGm5IL5sdbtvdehr/SBr+fIsIHphv/Oz5iBn6rZssSBqYbzx',
  ],
  ['iso-8859-5', 'Привет, сервер не запускается', 'v+DY0tXiLCDh1eDS1eAg3dUg19Df4+Ha0NXi4e8='],
  ['iso-8859-7', 'Ο διακομιστής σταματά', 'zyDk6eHq7+zp8/Te8iDz9OHs4fTc'],
  ['iso-8859-8', 'השרת לא עולה', '5Pn4+iDs4CDy5ezk'],
  ['iso-8859-9', 'Sunucum çalışmıyor, ığdır', 'U3VudWN1bSDnYWz9/m39eW9yLCD98GT9cg=='],
  ['iso-8859-15', 'Das kostet 5 € für Œuvres', 'RGFzIGtvc3RldCA1IKQgZvxyILx1dnJlcw=='],
  ['windows-1250', 'Zażółć gęślą jaźń, žluťoučký', 'WmG/87PmIGfqnGy5IGphn/EsIJ5sdZ1vdehr/Q=='],
  ['windows-1251', 'Сервер не запускается', '0eXw4uXwIO3lIOfg7/Px6uDl8vH/'],
  ['windows-1252', '“Smart” quotes – and €', 'k1NtYXJ0lCBxdW90ZXMgliBhbmQggA=='],
  ['windows-1253', 'Ο διακομιστής σταματά', 'zyDk6eHq7+zp8/Te8iDz9OHs4fTc'],
  ['windows-1254', 'Sunucum çalışmıyor', 'U3VudWN1bSDnYWz9/m39eW9y'],
  ['windows-1255', 'השרת לא עולה', '5Pn4+iDs4CDy5ezk'],
  ['windows-1256', 'الخادم لا يعمل', 'x+HOx8/jIOHHIO3a4+E='],
  ['windows-1257', 'Serveris neveikia, ačiū', 'U2VydmVyaXMgbmV2ZWlraWEsIGHoafs='],
  ['windows-1258', 'Máy chu', 'TeF5IGNodQ=='],
  ['koi8-r', 'Сервер не запускается', '88XS18XSIM7FINrB0NXTy8HF1NPR'],
  ['koi8-u', 'Сервер не запускається', '88XS18XSIM7FINrB0NXTy8Gk1NjT0Q=='],
  ['shift_jis', 'サーバーが起動しません', 'g1SBW4NvgVuCqotOk66CtYLcgrmC8Q=='],
  ['euc-jp', 'サーバーが起動しません', 'pbWhvKXQobykrLWvxrCkt6TepLuk8w=='],
  ['iso-2022-jp', 'サーバーが起動しません', 'GyRCJTUhPCVQITwkLDUvRjAkNyReJDskcxsoQg=='],
  ['gb2312', '服务器无法启动', 't/7O8cb3zt63qMb0tq8='],
  ['gbk', '伺服器無法啟動', 'y8W3/sb3n2+3qIaihNM='],
  ['gb18030', '服务器无法启动 😀', 't/7O8cb3zt63qMb0tq8glDn8Ng=='],
  ['big5', '伺服器無法啟動', 'pviqQb65tUyqa7HSsMo='],
  ['euc-kr', '서버가 시작되지 않습니다', 'vK259rChIL3DwNu1x8H2IL7KvcC0z7TZ'],
  [
    'utf-8',
    'The server 🚀 says “no” – größer',
    'VGhlIHNlcnZlciDwn5qAIHNheXMg4oCcbm/igJ0g4oCTIGdyw7bDn2Vy',
  ],
  ['us-ascii', 'The server stops', 'VGhlIHNlcnZlciBzdG9wcw=='],
  ['macintosh', 'Größe', 'R3Kap2U='],
]

const percent = (bytes: Buffer): string =>
  [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Lines of base64 are at most 76 characters long (RFC 2045, 6.8). */
const wrapped = (text: string): string => text.replaceAll(/.{76}/g, '$&\n')

const type = (charset: string, encoding: string) => ({
  'Content-Type': `text/plain; charset="${charset}"`,
  'Content-Transfer-Encoding': encoding,
})

/** Words in header fields, according to RFC 2047 and as programs really write them. */
const SUBJECTS: readonly (readonly [what: string, written: string, subject: string])[] = [
  ['an encoded word in Q', '=?US-ASCII?Q?Keith_Moore?=', 'Keith Moore'],
  ['Latin-1 in Q', '=?ISO-8859-1?Q?Andr=E9?= Pirard', 'André Pirard'],
  ['Latin-1 in B', '=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=', 'If you can read this yo'],
  ['two words in a row', '=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=', 'ab'],
  ['words on two lines', '=?ISO-8859-1?Q?a?=\r\n =?ISO-8859-1?Q?b?=', 'ab'],
  ['a blank that is encoded', '=?ISO-8859-1?Q?a_b?=', 'a b'],
  ['a blank between the words', '=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=', 'a b'],
  ['text around a word', 'Re: =?utf-8?Q?Gr=C3=B6=C3=9Fe?= of it', 'Re: Größe of it'],
  ['a character cut in two', '=?utf-8?B?w4Q=?= =?utf-8?B?w5w=?=', 'ÄÜ'],
  ['small letters', '=?utf-8?q?gr=c3=b6=c3=9fe?=', 'größe'],
  ['a language', '=?utf-8*en?Q?hello?=', 'hello'],
  ['plain UTF-8 (RFC 6532)', 'Größe', 'Größe'],
  ['nothing', '', ''],
  ['a folded line', 'My server\r\n stops', 'My server stops'],
  ['what only looks like a word', '=?not a word?=', '=?not a word?='],
]

/** Texts whose lines were folded for transport (RFC 2045, 3676). */
const CUT: readonly (readonly [
  what: string,
  fields: Record<string, string>,
  body: string,
  text: string,
])[] = [
  [
    'lines that go on',
    type('utf-8', 'quoted-printable'),
    'My server stops a minute after the start, which it did not do before the =\nupdate.',
    'My server stops a minute after the start, which it did not do before the update.',
  ],
  ['blanks at the end', type('utf-8', 'quoted-printable'), 'a =20\nb=09', 'a  \nb'],
  ['an equals sign', type('utf-8', 'quoted-printable'), 'max=3D20', 'max=20'],
  [
    'flowed lines',
    { ...PLAIN, 'Content-Type': 'text/plain; charset=utf-8; format=flowed' },
    'My server stops a \nminute after \nthe start.\n\nAnn',
    'My server stops a minute after the start.\n\nAnn',
  ],
  ['no charset', { 'Content-Type': 'text/plain' }, 'It stops.', 'It stops.'],
  ['no type at all', {}, 'It stops.', 'It stops.'],
  ['an unknown charset', type('x-unknown', '8bit'), 'It stops.', 'It stops.'],
  ['an unknown encoding', type('us-ascii', 'x-uuencode'), 'It stops.', 'It stops.'],
  ['a broken character', type('utf-8', 'quoted-printable'), 'a=C3b', 'a\ufffdb'],
  ['a byte order mark', type('utf-8', 'base64'), '77u/SXQgc3RvcHMu', 'It stops.'],
]

export const ENCODED: readonly Sample[] = [
  ...CHARSETS.map(([charset, text, base64]) => ({
    what: `${charset} in base64`,
    raw: mail(type(charset, 'base64'), wrapped(base64)),
    text,
  })),
  ...CHARSETS.map(([charset, text, base64]) => ({
    what: `${charset} in quoted-printable`,
    raw: mail(
      type(charset, 'quoted-printable'),
      // Longer lines are not allowed, and a character may be split.
      percent(Buffer.from(base64, 'base64')).replaceAll(/(?:=..){24}/g, '$&=\n'),
    ),
    text,
  })),
  ...SUBJECTS.map(([what, written, subject]) => ({
    what: `a subject with ${what}`,
    raw: mail({ ...PLAIN, Subject: written }, 'It stops.'),
    subject,
  })),
  ...CUT.map(([what, fields, body, text]) => ({ what, raw: mail(fields, body), text })),
]
