import { expect, test } from 'vitest'
import { MAX_STYLED_BYTES, STYLE_METHODS } from './notification-style.ts'

const { reply } = STYLE_METHODS['notification-style.format']
const takes = (body: unknown) => reply.safeParse({ body }).success
/** An object that is so large as JSON. */
const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) })

test('a body is a JSON object of at most 32 KiB', () => {
  expect(takes(sized(MAX_STYLED_BYTES))).toBe(true)
  expect(takes(sized(MAX_STYLED_BYTES + 1))).toBe(false)
  expect(takes({ text: 'ü'.repeat(MAX_STYLED_BYTES / 2) })).toBe(false)
  for (const body of ['text', null, undefined, 1, ['text']]) expect(takes(body)).toBe(false)
})

test('a body that is nested too deeply to be written is refused', () => {
  const deep = JSON.parse(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)
  expect(takes(deep)).toBe(false)
})
