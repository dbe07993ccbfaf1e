import { en } from 'zod/locales'
import { plainIssue } from '../../control-plane/src/http/plain-issue.ts'

const { localeError } = en()

/** Zod's message for an issue, with names in braces for values. */
function said(issue: object): string {
  const text = localeError(issue as Parameters<typeof localeError>[0])
  if (typeof text !== 'string') throw new Error('zod says nothing')
  return text
}

const bounded = (code: string, bound: 'maximum' | 'minimum', name: string) => [
  ...['string', 'array'].flatMap((origin) => [
    said({ code, origin, [bound]: name, inclusive: true }),
    said({ code, origin, [bound]: '{size}', exact: true }),
  ]),
  ...[true, false].map((inclusive) => said({ code, origin: '{kind}', [bound]: name, inclusive })),
]

/** The string formats that our schemas use. */
const FORMATS = [
  ...['email', 'url', 'uuid', 'datetime', 'date', 'base64', 'hostname'],
  ...['ipv4', 'ipv6', 'cidrv4', 'cidrv6'],
]

const plain = (issue: object): string => {
  const text = plainIssue(issue as Parameters<typeof plainIssue>[0])
  if (text === undefined) throw new Error('there are no plain words')
  return text
}

const plainBounds = (code: string, bound: 'maximum' | 'minimum', name: string) => [
  ...['string', 'array'].flatMap((origin) => [
    plain({ code, origin, [bound]: name, inclusive: true }),
    plain({ code, origin, [bound]: '{size}', exact: true }),
  ]),
  ...[true, false].map((inclusive) => plain({ code, origin: 'number', [bound]: name, inclusive })),
]

/** The API's replacements for zod's messages. */
const plainTexts = (): string[] => [
  plain({ code: 'invalid_type', expected: 'string' }),
  ...['string', 'number', 'int', 'boolean', 'array', 'object'].map((expected) =>
    plain({ code: 'invalid_type', expected, input: null }),
  ),
  ...plainBounds('too_big', 'maximum', '{most}'),
  ...plainBounds('too_small', 'minimum', '{least}'),
]

/** The English messages of the zod checks that our schemas use. */
export const zodTexts = (): string[] => [
  ...plainTexts(),
  said({ code: 'custom' }),
  said({ code: 'invalid_type', expected: '{expected}' }),
  said({ code: 'invalid_type', expected: '{expected}', input: '' }).replace('string', '{received}'),
  said({ code: 'invalid_value', values: ['{value}'] }).replaceAll('"', ''),
  said({ code: 'invalid_value', values: ['{values', '}'] }).replace('"{values"|"}"', '{values}'),
  said({ code: 'invalid_union', inclusive: false }),
  said({ code: 'invalid_union', options: ['{values}'] }).replaceAll("'", ''),
  ...bounded('too_big', 'maximum', '{most}'),
  ...bounded('too_small', 'minimum', '{least}'),
  ...FORMATS.map((format) => said({ code: 'invalid_format', format })),
  said({ code: 'invalid_format', format: 'starts_with', prefix: '{part}' }),
  said({ code: 'invalid_format', format: 'ends_with', suffix: '{part}' }),
  said({ code: 'invalid_format', format: 'includes', includes: '{part}' }),
  said({ code: 'invalid_format', format: 'regex', pattern: '{pattern}' }),
  said({ code: 'not_multiple_of', divisor: '{divisor}' }),
  said({ code: 'unrecognized_keys', keys: ['{keys}'] }).replaceAll('"', ''),
  said({ code: 'unrecognized_keys', keys: ['{keys', '}'] }).replace('"{keys", "}"', '{keys}'),
  said({ code: 'invalid_key', origin: '{place}' }),
  said({ code: 'invalid_element', origin: '{place}' }),
]
