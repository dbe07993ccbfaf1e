import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from '@lodge/shared/words/compile.ts'
import type { Plugin } from 'vite'
import { callsOf, type Message, messagesOf } from './calls.ts'
import { LIST, Translations } from './translations.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, 'shared/src/words')
const AT_RUN_TIME = path.join(FOLDER, 'catalogue.ts')
const COMPILED = path.join(FOLDER, 'compiled.ts')

/**
 * Parses the catalogues while the panel is built, so that no browser loads the parser, and puts what loads
 * their translations into one list, which nobody loads who reads English.
 */
export function words(): Plugin {
  const translations = new Translations(ROOT)
  return {
    name: 'lodge-words',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(LIST) ? `\0${id}` : null),
    load(id) {
      if (id.startsWith(`\0${LIST}`)) return translations.source(id.slice(1))
      if (id === AT_RUN_TIME) return readFileSync(COMPILED, 'utf8')
      if (!/\/(words|names)(\.[a-z-]+)?\.ts$/.test(id)) return null
      return withCompiled(readFileSync(id, 'utf8'), id, translations.placeOf(id))
    },
  }
}

/**
 * The source of a catalogue with each of its messages compiled.
 *
 * @param place of its translations in the list of all; stands where the source names their files
 */
export function withCompiled(source: string, file: string, place?: number): string {
  const calls = callsOf(source, file)
  const named = calls.flatMap((call) => call.arguments[1] ?? [])
  return [
    ...calls.flatMap(messagesOf).map(({ start, end, value }) => ({
      ...{ start, end },
      text: JSON.stringify(compile(value)),
    })),
    ...named.map(({ start, end }) => ({ start, end, text: String(place) })),
  ]
    .sort((a, b) => b.start - a.start)
    .reduce((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source)
}

/** The messages that a catalogue declares, in their order. */
export const messagesIn = (source: string, file: string): Message[] =>
  callsOf(source, file).flatMap(messagesOf)
