import { oneLine } from '@lodge/shared/templates/one-line.ts'
import { type Edit, type Parser, replacement, textOf } from '../edit.ts'
import { linesOf } from './lines.ts'

interface Target {
  readonly section: string
  readonly key: string
}

/**
 * INI files: `key` before any section, `section.key`, `[a.section].key`. Sets the last key of that
 * name in place, appends a missing one to its section and keeps everything else.
 */
export const editIni: Parser = (text, edits) => {
  const { lines, join } = linesOf(text)
  const tight = lines.some((line) => /^\w[^=\s]*=/.test(line))
  for (const edit of edits) setKey(lines, edit, targetOf(edit.match), tight ? '=' : ' = ')
  return join()
}

/** Splits at the first dot outside brackets. */
function targetOf(match: string): Target {
  let depth = 0
  let first = ''
  for (const [at, char] of [...match].entries()) {
    if (char === '[') depth++
    else if (char === ']') depth--
    else if (char === '.' && depth === 0) {
      return {
        section: first,
        key: [...match]
          .slice(at + 1)
          .join('')
          .replace(/^\[(.*)\]$/s, '$1'),
      }
    } else first += char
  }
  return { section: '', key: first }
}

interface Pair {
  readonly key: string
  /** Everything before the value. */
  readonly before: string
  readonly value: string
}

/** Parses `key = value` or `key: value`; undefined for comments, headers and anything else. */
function pairOf(line: string): Pair | undefined {
  const start = line.trimStart()
  if (start === '' || ';#['.includes(start[0] ?? '')) return undefined
  const at = line.search(/[=:]/)
  const key = line.slice(0, at).trim()
  if (at === -1 || key === '') return undefined
  const rest = line.slice(at + 1)
  const before = line.length - rest.trimStart().length
  return { key, before: line.slice(0, before), value: rest.trim() }
}

/** The name in `[name]`; undefined when the line is not a header. */
function headerOf(line: string): string | undefined {
  const text = line.trim()
  const end = text.indexOf(']')
  return text.startsWith('[') && end !== -1 ? text.slice(1, end).trim() : undefined
}

function setKey(lines: string[], edit: Edit, target: Target, separator: string): void {
  let section = ''
  let last: { readonly index: number; readonly pair: Pair } | undefined
  let end = target.section === '' ? 0 : undefined
  for (const [index, line] of lines.entries()) {
    section = headerOf(line) ?? section
    if (section !== target.section) continue
    if (line.trim() !== '') end = index + 1
    const pair = pairOf(line)
    if (pair?.key === target.key) last = { index, pair }
  }
  if (last) {
    const value = replacement(edit, unquoted(last.pair.value))
    if (value !== undefined) lines[last.index] = last.pair.before + oneLine(textOf(value))
    return
  }
  if (edit.ifValue !== undefined) return
  const line = `${target.key}${separator}${oneLine(textOf(edit.value))}`
  if (end !== undefined) lines.splice(end, 0, line)
  else
    lines.push(
      ...(lines.length > 0 && lines.at(-1) !== '' ? [''] : []),
      `[${target.section}]`,
      line,
    )
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value
