import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { z } from 'zod'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { isRaw, jsonBodyOf } from '../../../control-plane/src/http/raw-body.ts'

interface Node {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly allOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly format?: string
  readonly pattern?: string
}

/** One of these texts satisfies every rule for fields of the API. */
const TEXTS = () => [
  `sample ${randomUUID()}`,
  'sample',
  'en',
  'Sample',
  'SAMPLE',
  `s-${randomUUID().slice(0, 8)}`,
  `sample-${randomUUID()}@example.com`,
  'sample.example.com',
  '/sample',
  '1',
  'https://example.com/',
  '* * * * *',
  'Etc/UTC',
  'a'.repeat(64),
]

const nodes = new WeakMap<z.ZodType, Node>()

/** A small value that the schema accepts, derived from the schema. */
export function sampleOf(schema: z.ZodType): unknown {
  const node =
    nodes.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node)
  nodes.set(schema, node)
  return sample(node)
}

function sample(node: Node): unknown {
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  const choice = node.anyOf?.[0] ?? node.oneOf?.[0]
  if (choice) return sample(choice)
  if (node.allOf) return Object.assign({}, ...node.allOf.map((part) => sample(part)))
  if (node.type === 'object' || node.properties) return sampleObject(node)
  if (node.type === 'array')
    return Array.from({ length: node.minItems ?? 0 }, () => sample(node.items ?? {}))
  if (node.type === 'integer' || node.type === 'number')
    return node.minimum ?? (node.exclusiveMinimum ?? 0) + 1
  if (node.type === 'boolean') return false
  if (node.type === 'null') return null
  return sampleText(node)
}

const sampleObject = (node: Node) =>
  Object.fromEntries(
    (node.required ?? []).map((name) => [name, sample(node.properties?.[name] ?? {})]),
  )

function sampleText(node: Node): string {
  if (node.format === 'uuid') return randomUUID()
  if (node.format === 'email') return `sample-${randomUUID()}@example.com`
  if (node.format === 'date-time') return new Date().toISOString()
  const pattern = node.pattern === undefined ? undefined : new RegExp(node.pattern, 'u')
  const found = TEXTS().find((text) => pattern?.test(text) ?? true)
  if (found === undefined) throw new Error(`no sample for the pattern ${node.pattern}`)
  return found
}

/** Bodies of endpoints whose schemas do not say enough. */
export type Overrides = Readonly<Record<string, () => unknown>>

/** A body that an endpoint accepts; undefined when it accepts none. */
export function sampleBody(spec: Declared, overrides: Overrides = {}): unknown {
  const schema = jsonBodyOf(spec)
  if (!schema) return undefined
  const own = overrides[`${spec.method} ${spec.path}`]
  const body = own ? own() : sampleOf(schema)
  const texts = TEXTS()
  // Some rules are not visible in the schema: a refused text is replaced by the next.
  for (let at = 0; at < texts.length; at++) {
    const parsed = schema.safeParse(body)
    if (parsed.success) return body
    for (const issue of parsed.error.issues) put(body, issue.path, texts[at])
  }
  throw new Error(`${spec.method} ${spec.path} has no valid sample: ${JSON.stringify(body)}`)
}

/** The additional parts of a request with a raw body. */
export function rawSample({ body }: Declared): Pick<InjectOptions, 'payload' | 'headers'> {
  if (!isRaw(body)) return {}
  return {
    payload: Buffer.alloc(Math.min(body.maxBytes, 64), 'raw'),
    headers: { 'content-type': body.contentTypes[0] },
  }
}

/** Replaces the text at a path. */
function put(body: unknown, path: readonly PropertyKey[], text: unknown): void {
  const parent = path.slice(0, -1).reduce((at: unknown, key) => Reflect.get(Object(at), key), body)
  const last = path.at(-1)
  if (last !== undefined && parent !== null && typeof parent === 'object')
    Reflect.set(parent, last, text)
}
