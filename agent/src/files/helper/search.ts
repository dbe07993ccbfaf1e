import { constants, fstatSync, readSync } from 'node:fs'
import { type FileSearch, SEARCH_SECONDS, type SearchLine } from '@lodge/shared/files.ts'
import { entriesAt } from './archive.ts'
import { entryAt } from './entry.ts'
import { pieces } from './pieces.ts'
import type { Asker } from './place.ts'
import { openIn, using } from './tree.ts'
import type { Walked } from './walk.ts'

/** Larger files are no text that anybody looks through. */
const MAX_FILE = 64 * 1024 * 1024
const MAX_LINE = 64 * 1024
const SHOWN = 400
const HEAD = 8 * 1024
const MATCHES_PER_FILE = 100

/** Looks for names and content below a folder; ends with a line that says whether it saw all. */
export async function* search(
  asker: Asker,
  asked: FileSearch,
  signal: AbortSignal,
): AsyncGenerator<SearchLine> {
  const endsAt = Date.now() + SEARCH_SECONDS * 1000
  const isNamed = nameTest(asked)
  let left = asked.limit
  let truncated = false
  const options = { signal, skipped: () => {} }
  for await (const found of entriesAt(asker, asked.path, options)) {
    if (Date.now() > endsAt) truncated = true
    if (truncated) break
    if (found.path === asked.path || !isNamed(found.place.name)) continue
    for await (const match of matches(found, asked, endsAt)) {
      const entry = entryAt(asker, found.place, found.path)
      if (!entry) break
      if (left === 0) {
        truncated = true
        break
      }
      left -= 1
      yield { entry, ...match }
    }
  }
  yield { done: true, truncated }
}

type Match = { readonly line?: number; readonly text?: string }

async function* matches(found: Walked, asked: FileSearch, endsAt: number): AsyncGenerator<Match> {
  if (asked.content === undefined) return yield {}
  if (!found.stats.isFile() || found.stats.size > MAX_FILE) return
  let fd: number
  try {
    fd = openIn(found.place.folder, found.place.name, constants.O_RDONLY)
  } catch {
    return
  }
  const ending = Promise.withResolvers<void>()
  void using(fd, () => ending.promise)
  try {
    const stats = fstatSync(fd)
    if (stats.isFile() && !isBinary(fd)) yield* inLines(fd, stats.size, asked, endsAt)
  } finally {
    ending.resolve()
  }
}

async function* inLines(
  fd: number,
  size: number,
  { content = '', caseSensitive }: FileSearch,
  endsAt: number,
): AsyncGenerator<Match> {
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const wanted = fold(content)
  const decoder = new TextDecoder()
  let number = 1
  let count = 0
  let rest = ''
  /** The line that was found last: each is shown once. */
  let last = 0
  const inLine = (line: string): Match | undefined => {
    const at = last === number ? -1 : fold(line).indexOf(wanted)
    if (at < 0) return undefined
    last = number
    const from = Math.max(0, at - SHOWN / 4)
    return { line: number, text: line.slice(from, from + SHOWN).trim() }
  }
  for await (const piece of pieces(fd, size)) {
    if (Date.now() > endsAt) return
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const match = inLine(line)
      number += 1
      if (!match) continue
      yield match
      count += 1
      if (count >= MATCHES_PER_FILE) return
    }
    if (rest.length <= MAX_LINE) continue
    // A line without an end is looked at in parts, the next of which may end what this one begins.
    const match = inLine(rest)
    if (match) yield match
    rest = rest.slice(-content.length)
  }
  const match = rest === '' ? undefined : inLine(rest)
  if (match) yield match
}

function isBinary(fd: number): boolean {
  const head = Buffer.alloc(HEAD)
  return head.subarray(0, readSync(fd, head, 0, HEAD, 0)).includes(0)
}

function nameTest({ name, caseSensitive }: FileSearch): (name: string) => boolean {
  if (name === undefined) return () => true
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase())
  const wanted = fold(name)
  if (!/[*?]/.test(wanted)) return (one) => fold(one).includes(wanted)
  return (one) => fits(fold(one), wanted)
}

/** Whether a whole name fits a pattern of `*` and `?`; never takes long, unlike an expression. */
function fits(name: string, pattern: string): boolean {
  let [at, of, star, mark] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[of] === '*') {
      star = of
      mark = at
      of += 1
    } else if (pattern[of] === '?' || pattern[of] === name[at]) {
      at += 1
      of += 1
    } else if (star < 0) return false
    else {
      mark += 1
      at = mark
      of = star + 1
    }
  }
  return /^\**$/.test(pattern.slice(of))
}
