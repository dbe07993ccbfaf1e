import { parseBoundedYaml } from './bounded-yaml.ts'

/** Maximum length of a template document, in characters. */
export const DOCUMENT_LENGTH_MAX = 4_194_304
/** YAML takes twenty times as long as JSON. */
const YAML_LENGTH_MAX = 524_288
const DEPTH_MAX = 40
const VALUES_MAX = 200_000

export type ReadDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string }

/** Reads JSON or YAML text, or accepts a parsed value. Bounded in length, depth and count. */
export function readDocument(source: unknown): ReadDocument {
  const read =
    typeof source === 'string' ? readText(source) : ({ ok: true, value: source } as const)
  if (!read.ok) return read
  const why = whyTooMuch(read.value)
  return why ? { ok: false, why } : read
}

function readText(text: string): ReadDocument {
  if (text.length > DOCUMENT_LENGTH_MAX)
    return { ok: false, why: 'The document is larger than 4 MiB' }
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  if (trimmed === '') return { ok: false, why: 'The document is empty' }
  try {
    return { ok: true, value: trimmed.startsWith('{') ? JSON.parse(trimmed) : readYaml(trimmed) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, why: `The document cannot be read: ${why.split('\n')[0]?.slice(0, 300)}` }
  }
}

function readYaml(text: string): unknown {
  if (text.length > YAML_LENGTH_MAX) throw new Error('YAML of more than 512 KiB is not read')
  const depth = Math.max(...text.split('\n', 200_000).map((row) => flowDepth(row)))
  if (depth > DEPTH_MAX) throw new Error('it is nested too deeply')
  const document = parseBoundedYaml(text, { schema: 'core' })
  return document.toJS({ maxAliasCount: 10 })
}

/** Brackets or list dashes at the beginning of a line, which nest YAML without indentation. */
function flowDepth(row: string): number {
  const start = /^[\s\-?:[{]*/.exec(row)?.[0] ?? ''
  return start.replaceAll(/[^[{\-?]/g, '').length
}

function whyTooMuch(root: unknown): string | undefined {
  const queue: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  let count = 0
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { value, depth } = item
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH_MAX) return 'The document is nested too deeply'
    for (const child of Object.values(value)) {
      if (++count > VALUES_MAX) return 'The document holds too many values'
      queue.push({ value: child, depth: depth + 1 })
    }
  }
  return undefined
}
