import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { plainIssue } from './plain-issue.ts'

const MAX_DEPTH = 32

/**
 * Accepts only uncompressed UTF-8 bodies. Anything else is refused unread, which rules out
 * decompression bombs and charset guessing.
 */
export function requirePlainText({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (
    (encoding === undefined || encoding === '' || encoding === 'identity') &&
    (charset === undefined || /^utf-?8$/i.test(charset))
  )
    return
  throw new Problem('unsupported_media_type', 'Send JSON in UTF-8, without compression')
}

/** Refuses what no field may contain: nesting deeper than 32, NUL characters, lone surrogates. */
export function checkJson(value: unknown): void {
  const open: [unknown, string, number][] = [[value, '', 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, pointer, depth] = next
    if (depth > MAX_DEPTH)
      throw new Problem('json_too_deep', `Nest at most ${MAX_DEPTH} levels deep`)
    if (typeof item === 'string') checkText(item, pointer)
    if (item === null || typeof item !== 'object') continue
    for (const [key, child] of Object.entries(item)) {
      checkText(key, pointer)
      open.push([child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1])
    }
  }
}

function checkText(text: string, pointer: string): void {
  if (text.includes('\0')) throw invalid([{ pointer, detail: 'must not contain a NUL character' }])
  if (!text.isWellFormed()) throw invalid([{ pointer, detail: 'must be well-formed Unicode' }])
}

export const invalid = (errors: readonly { pointer: string; detail: string }[]): Problem =>
  new Problem(
    'validation_failed',
    errors
      .map((error) => `${error.pointer || 'the input'} ${error.detail}`)
      .join('; ')
      .slice(0, 2000),
    {
      fields: { errors },
    },
  )

/** Parses input with its schema; every error names its place as a JSON pointer. */
export function parseInput<S extends z.ZodType>(
  schema: S | undefined,
  input: unknown,
): z.output<S> | undefined {
  if (!schema) return undefined
  const parsed = schema.safeParse(input, { error: plainIssue })
  if (parsed.success) return parsed.data
  throw invalid(
    parsed.error.issues.slice(0, 50).map(({ path, message }) => ({
      pointer: path.map((part) => `/${String(part)}`).join(''),
      detail: message,
    })),
  )
}

const NO_QUERY = z.strictObject({})

/** Strict schemas are cached: building one costs more than handling most requests. */
const strictForms = new WeakMap<z.ZodType, z.ZodType>()

function strictly(schema: z.ZodType): z.ZodType {
  let strict = strictForms.get(schema)
  if (!strict) {
    strict = schema instanceof z.ZodObject ? schema.strict() : schema
    strictForms.set(schema, strict)
  }
  return strict
}

/** Query strings allow no repeated and no undeclared keys. */
export function parseQuery<S extends z.ZodType>(
  schema: S | undefined,
  query: unknown,
): z.output<S> | undefined {
  checkJson(query)
  if (!schema) return void parseInput(NO_QUERY, query)
  return parseInput(strictly(schema), query) as z.output<S>
}
