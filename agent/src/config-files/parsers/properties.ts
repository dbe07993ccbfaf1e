import { type Parser, replacement, textOf } from '../edit.ts'
import { linesOf } from './lines.ts'

interface Entry {
  readonly from: number
  /** Exclusive end, because a value can span several lines. */
  readonly to: number
  readonly key: string
  readonly separator: string
  readonly value: string
}

/** Java properties: sets keys in place, appends missing ones, keeps comments and order. */
export const editProperties: Parser = (text, edits) => {
  const { lines, join } = linesOf(text)
  for (const edit of edits) {
    const present = entriesOf(lines).filter((entry) => entry.key === edit.match)
    if (present.length === 0 && edit.ifValue === undefined) {
      lines.push(`${writeEscapes(edit.match, true)}=${writeEscapes(textOf(edit.value), false)}`)
    }
    for (const entry of present.reverse()) {
      const value = replacement(edit, entry.value)
      if (value === undefined || textOf(value) === entry.value) continue
      const line = `${writeEscapes(entry.key, true)}${entry.separator}${writeEscapes(textOf(value), false)}`
      lines.splice(entry.from, entry.to - entry.from, line)
    }
  }
  return join()
}

function entriesOf(lines: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (let i = 0; i < lines.length; i++) {
    const from = i
    let line = (lines[i] ?? '').trimStart()
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue
    while (isContinued(line) && i + 1 < lines.length) {
      line = line.slice(0, -1) + (lines[++i] ?? '').trimStart()
    }
    const end = keyEnd(line)
    const separator = /^[ \t\f]*[=:]?[ \t\f]*/.exec(line.slice(end))?.[0] ?? ''
    entries.push({
      from,
      to: i + 1,
      key: readEscapes(line.slice(0, end)),
      separator: separator === '' ? '=' : separator,
      value: readEscapes(line.slice(end + separator.length)),
    })
  }
  return entries
}

/** True when the line ends in an odd number of backslashes and so continues. */
function isContinued(line: string): boolean {
  let end = line.length
  while (line[end - 1] === '\\') end--
  return (line.length - end) % 2 === 1
}

function keyEnd(line: string): number {
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '\\') i++
    else if (/[=: \t\f]/.test(line[i] ?? '')) return i
  }
  return line.length
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' }

function readEscapes(text: string): string {
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|(.?))/gs, (_, code, char) =>
    code === undefined ? (LETTERS[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function writeEscapes(text: string, isKey: boolean): string {
  const escaped = text.replaceAll(/[\\\n\r\t\f]|[^\x20-\x7e]/g, (char) => {
    if (char === '\\') return '\\\\'
    const letter = Object.keys(LETTERS).find((name) => LETTERS[name] === char)
    return letter
      ? `\\${letter}`
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`
  })
  if (isKey) return escaped.replaceAll(/[ =:#!]/g, '\\$&')
  return escaped.replace(/^ /, '\\ ')
}
