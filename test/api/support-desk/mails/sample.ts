import type { Automatic } from '../../../../control-plane/src/domains/support/inbound/automatic.ts'

/** A mail as a program or a server writes it, and how the desk reads it. */
export interface Sample {
  readonly what: string
  readonly raw: Buffer
  readonly subject?: string
  /** The new text in it. */
  readonly text?: string
  readonly answers?: readonly string[]
  readonly automatic?: Automatic
  readonly files?: readonly string[]
}

/** The mail that the desk sent before. */
export const OURS = '<01931d5e-4f00-7000-8000-000000000001@panel.example.com>'
export const THEIRS = 'CAF+x7Q@mail.example.org'

const HEAD: Readonly<Record<string, string>> = {
  'Return-Path': '<ann@example.org>',
  Received:
    'from mx.example.org (mx.example.org [203.0.113.9]) by desk.example.com with ESMTPS id 4Xk; Mon, 16 Nov 2026 10:05:00 +0100',
  Date: 'Mon, 16 Nov 2026 10:05:00 +0100',
  From: 'Ann Example <ann@example.org>',
  To: '"Support" <support@desk.example.com>',
  'Message-ID': `<${THEIRS}>`,
  'In-Reply-To': OURS,
  References: OURS,
  Subject: 'Re: My server stops',
  'MIME-Version': '1.0',
}

/** A mail with these fields in addition to the usual ones; an empty one is omitted. */
export function mail(fields: Readonly<Record<string, string>>, body: string | Buffer): Buffer {
  const all = Object.entries({ ...HEAD, ...fields }).filter(([, value]) => value !== '')
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const bytes = typeof body === 'string' ? Buffer.from(body.replaceAll(/\r?\n/g, '\r\n')) : body
  return Buffer.concat([Buffer.from(`${head}\r\n`), bytes, Buffer.from('\r\n')])
}

export const PLAIN = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
} as const
export const HTML = { ...PLAIN, 'Content-Type': 'text/html; charset=utf-8' } as const

/** A part of a mail: its fields, a blank line, and its text. */
export const part = (fields: Readonly<Record<string, string>>, text: string): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n${text}\n`

/** Joins parts with a boundary. */
export const joined = (border: string, ...parts: readonly string[]): string =>
  `${parts.map((one) => `--${border}\n${one}`).join('')}--${border}--\n`
