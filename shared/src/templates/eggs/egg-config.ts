import { CONFIG_PARSERS, type ConfigFile } from '../../container-spec.ts'
import type { DocumentNote } from '../checked-document.ts'
import { isInside } from '../document.ts'
import { whyNotRegex } from '../rules/safe-regex.ts'
import { booleanOf, type Loose, objectOf, objectOrJson, own, textOf, textsOf } from './loose.ts'

type Edit = ConfigFile['edits'][number]

/** `config.files` of an egg: object or JSON text; one value per match, or a map from present to new values. */
export function configFilesOf(
  value: unknown,
  normalize: (text: string, path: string) => string,
  warnings: DocumentNote[],
): ConfigFile[] {
  const files = objectOrJson(value)
  if (!files) {
    const empty =
      value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    if (!empty)
      warnings.push({
        path: 'config.files',
        detail: 'This is not a list of files and was left out',
      })
    return []
  }
  const result: ConfigFile[] = []
  for (const [given, description] of Object.entries(files)) {
    const at = `config.files.${given.slice(0, 80)}`
    const path = dataFolderPath(normalize(given, at))
    const file = objectOf(description)
    const parser = parserOf(own(file, 'parser'))
    if (!file || !parser || !isInside(path) || path.length > 512) {
      const why = !file || !parser ? 'its parser is not known' : 'its path leaves the data folder'
      warnings.push({ path: at, detail: `The file was left out: ${why}` })
      continue
    }
    const edits = editsOf(own(file, 'find'), parser, normalize, at, warnings)
    result.push({ path, parser, create: booleanOf(own(file, 'create_file'), true), edits })
  }
  return result.slice(0, 64)
}

function parserOf(value: unknown): ConfigFile['parser'] | undefined {
  const name = textOf(value)?.trim().toLowerCase()
  return name === 'yml' ? 'yaml' : CONFIG_PARSERS.find((known) => known === name)
}

/** Paths from the root of the container or of the data folder mean the data folder. */
function dataFolderPath(given: string): string {
  return given
    .trim()
    .replace(/^\/home\/container(?=\/|$)/, '')
    .replace(/^(\.?\/+)+/, '')
    .replaceAll(/\/{2,}/g, '/')
}

function editsOf(
  find: unknown,
  parser: ConfigFile['parser'],
  normalize: (text: string, path: string) => string,
  at: string,
  warnings: DocumentNote[],
): Edit[] {
  const edits: Edit[] = []
  for (const [match, given] of Object.entries(objectOf(find) ?? {})) {
    const path = `${at}.find.${match.slice(0, 80)}`
    const add = (ifValue: string | undefined, raw: unknown): void => {
      const value = scalarOf(typeof raw === 'string' ? normalize(textOf(raw) ?? '', path) : raw)
      // An empty match is meaningful only for lines: it matches every line.
      const shortest = parser === 'file' ? 0 : 1
      const fits = match.length >= shortest && match.length <= 512 && (ifValue?.length ?? 0) <= 1024
      if (value === undefined || !fits) {
        warnings.push({
          path,
          detail: 'The edit was left out: it names no place, is too long, or its value is a list',
        })
        return
      }
      edits.push(ifValue === undefined ? { match, value } : { match, ifValue, value })
    }
    const map = objectOf(given)
    if (!map) add(undefined, given)
    else for (const [ifValue, value] of Object.entries(map)) add(ifValue, value)
  }
  if (edits.length > 500) warnings.push({ path: at, detail: 'Edits after the 500th were left out' })
  return edits.slice(0, 500)
}

function scalarOf(value: unknown): Edit['value'] | undefined {
  if (typeof value === 'string') return value.length <= 8192 ? value : undefined
  if (typeof value === 'boolean' || value === null) return value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export interface EggStartup {
  readonly patterns: { kind: 'text' | 'regex'; value: string }[]
  readonly stripAnsi: boolean
}

/** `config.startup` of an egg: its `done` lines, where `regex:` begins an expression. */
export function donePatternsOf(value: unknown, warnings: DocumentNote[]): EggStartup {
  const startup: Loose | undefined = objectOrJson(value)
  const done = own(startup, 'done')
  const lines = typeof done === 'object' ? textsOf(done) : [textOf(done) ?? '']
  const patterns = lines
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line.startsWith('regex:')
        ? { kind: 'regex' as const, value: line.slice('regex:'.length).trim() }
        : { kind: 'text' as const, value: line },
    )
    .filter((pattern) => {
      const long = pattern.value.length > 1024 ? 'it is too long' : undefined
      const fault = long ?? (pattern.kind === 'regex' ? whyNotRegex(pattern.value) : undefined)
      if (fault)
        warnings.push({ path: 'config.startup.done', detail: `A line was left out: ${fault}` })
      return fault === undefined && pattern.value !== ''
    })
  if (patterns.length > 20)
    warnings.push({ path: 'config.startup.done', detail: 'Lines after the 20th were left out' })
  const ansi = patterns.some((pattern) => pattern.value.includes('\u001b'))
  return {
    patterns: patterns.slice(0, 20),
    stripAnsi: booleanOf(own(startup, 'strip_ansi'), !ansi),
  }
}
