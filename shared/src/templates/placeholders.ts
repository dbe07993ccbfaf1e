/**
 * Placeholders: `{{NAME}}`, `{{env.NAME}}`, `{{server.environment.NAME}}`, `{{server.memory}}` and
 * the other names below. Nothing else resolves: no object is traversed, a name is only looked up in
 * a map of finished values.
 */

/** The facts of a server that a template may name, by their canonical names. */
export const SERVER_FACTS = [
  'server.id',
  'server.name',
  'server.address',
  'server.port',
  'server.ip',
  'server.memory',
  'server.cpu',
  'server.disk',
] as const
export type ServerFact = (typeof SERVER_FACTS)[number]

const FACT_ALIASES: Readonly<Record<string, ServerFact>> = {
  'server.uuid': 'server.id',
  'server.allocations.default.port': 'server.port',
  'server.build.default.port': 'server.port',
  'server.allocations.default.ip': 'server.ip',
  'server.build.default.ip': 'server.ip',
  'server.build.memory': 'server.memory',
  'server.build.memory_limit': 'server.memory',
  'server.build.cpu': 'server.cpu',
  'server.build.cpu_limit': 'server.cpu',
  'server.build.disk': 'server.disk',
  'server.build.disk_space': 'server.disk',
  'config.docker.interface': 'server.address',
}

/** The environment variable that carries a fact inside an image whose entry point fills in the command. */
export const FACT_VARIABLES: Partial<Readonly<Record<ServerFact, string>>> = {
  'server.id': 'P_SERVER_UUID',
  'server.port': 'SERVER_PORT',
  'server.ip': 'SERVER_IP',
  'server.memory': 'SERVER_MEMORY',
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
const VARIABLE_PREFIXES = [
  'server.environment.',
  'server.build.environment.',
  'server.build.env.',
  'env.',
]

/** What a placeholder refers to; undefined when a template may not refer to it. */
export type Placeholder =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'fact'; readonly name: ServerFact }

/** Parses the inside of `{{…}}`; tolerates spaces and stray braces. */
export function readPlaceholder(inside: string): Placeholder | undefined {
  const name = inside.replaceAll(/[{}\s]/g, '')
  if (name.length > 200) return undefined
  const fact = SERVER_FACTS.find((known) => known === name) ?? ownAlias(name)
  if (fact) return { kind: 'fact', name: fact }
  const prefix = VARIABLE_PREFIXES.find((known) => name.startsWith(known)) ?? ''
  const variable = name.slice(prefix.length)
  return VARIABLE.test(variable) ? { kind: 'variable', name: variable } : undefined
}

const ownAlias = (name: string): ServerFact | undefined =>
  Object.hasOwn(FACT_ALIASES, name) ? FACT_ALIASES[name] : undefined

/** The spelling in our documents. */
export function writePlaceholder(placeholder: Placeholder): string {
  return `{{${placeholder.name}}}`
}

interface Found {
  readonly start: number
  readonly end: number
  readonly inside: string
}

/** Every `{{…}}` of a text on one line and at most 250 characters long. */
function* placeholdersOf(text: string): Generator<Found> {
  let start = text.indexOf('{{')
  while (start !== -1) {
    const close = text.indexOf('}}', start + 2)
    if (close === -1) return
    const inner = text.lastIndexOf('{{', close)
    const from = inner > start + 2 ? inner : start
    let end = close + 2
    const inside = text.slice(from + 2, close)
    const opened = inside.split('{').length - inside.split('}').length
    if (opened > 0 && text[end] === '}') end++
    if (inside.length <= 250 && !inside.includes('\n')) yield { start: from, end, inside }
    start = text.indexOf('{{', end)
  }
}

export interface Substituted {
  readonly text: string
  /** The inside of each placeholder that was left unchanged. */
  readonly unknown: readonly string[]
}

/**
 * Replaces each placeholder once by `replacementOf`: a value that looks like a placeholder stays
 * text. A placeholder that cannot be parsed or has no value stays and is listed in `unknown`.
 */
export function substitute(
  text: string,
  replacementOf: (placeholder: Placeholder) => string | undefined,
): Substituted {
  if (!text.includes('{{')) return { text, unknown: [] }
  const unknown: string[] = []
  let result = ''
  let at = 0
  for (const found of placeholdersOf(text)) {
    const placeholder = readPlaceholder(found.inside)
    const value = placeholder && replacementOf(placeholder)
    if (value === undefined) unknown.push(found.inside.trim())
    result += text.slice(at, found.start) + (value ?? text.slice(found.start, found.end))
    at = found.end
  }
  return { text: result + text.slice(at), unknown }
}

/** The same text with every placeholder in our spelling; unreadable ones stay and are listed. */
export function normalizePlaceholders(
  text: string,
  rename: (variable: string) => string = (variable) => variable,
): Substituted {
  return substitute(text, (placeholder) =>
    writePlaceholder(
      placeholder.kind === 'fact'
        ? placeholder
        : { kind: 'variable', name: rename(placeholder.name) },
    ),
  )
}

/** The variable names in a text's placeholders, one for each occurrence. */
export function variableNamesIn(text: string): string[] {
  if (!text.includes('{{')) return []
  return [...placeholdersOf(text)].flatMap(({ inside }) => {
    const placeholder = readPlaceholder(inside)
    return placeholder?.kind === 'variable' ? [placeholder.name] : []
  })
}
