import { isDeepStrictEqual } from 'node:util'
import { parse, stringify } from 'smol-toml'
import type { Parser } from '../edit.ts'
import { applyEdit, type Change } from '../path.ts'

/**
 * TOML: changes a value on a line of its own in place, so that comments survive. Any other change
 * reserializes the document.
 */
export const editToml: Parser = (text, edits) => {
  const root: Record<string, unknown> = parse(text)
  const changes = edits.flatMap((edit) => applyEdit(root, edit))
  if (changes.length === 0) return text
  const result = changes.reduce(setLine, text)
  return readsAs(result, root) ? result : stringify(root)
}

function readsAs(text: string, root: unknown): boolean {
  try {
    return isDeepStrictEqual(parse(text), root)
  } catch {
    return false
  }
}

/**
 * Replaces the line of a change if it can find it; the caller verifies the result by parsing it.
 */
function setLine(text: string, { place, value }: Change): string {
  const key = String(place.at(-1))
  const table = place.slice(0, -1).join('.')
  if (value === null || place.some((part) => typeof part === 'number')) return text
  let current = ''
  const rows = text.split('\n')
  for (const [index, row] of rows.entries()) {
    const line = row.trim()
    if (line.startsWith('[')) current = line.slice(1, line.indexOf(']')).replaceAll(/["'\s]/g, '')
    const equals = row.indexOf('=')
    if (
      equals === -1 ||
      current !== table ||
      row.slice(0, equals).replaceAll(/["'\s]/g, '') !== key
    )
      continue
    const written = typeof value === 'string' ? JSON.stringify(value) : String(value)
    rows[index] =
      `${row.slice(0, equals)}= ${written}${commentOf(row.slice(equals + 1))}${row.endsWith('\r') ? '\r' : ''}`
    return rows.join('\n')
  }
  return text
}

/**
 * The comment after a value, preceded by a space. A `#` inside a string is not a comment: the text
 * before it does not parse as a value.
 */
function commentOf(rest: string): string {
  for (let at = rest.indexOf('#'); at !== -1 && at < 4096; at = rest.indexOf('#', at + 1)) {
    if (isValue(rest.slice(0, at))) return ` ${rest.slice(at).trimEnd()}`
  }
  return ''
}

function isValue(text: string): boolean {
  try {
    return Object.hasOwn(parse(`value = ${text}`), 'value')
  } catch {
    return false
  }
}
