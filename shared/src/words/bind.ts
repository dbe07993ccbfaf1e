import type { NamesOf, Spoken } from './arguments.ts'
import { type Compiled, partsOf, type Values } from './message.ts'

export type Messages = Readonly<Record<string, string>>
/** Messages for people, in the language that the program speaks. */
export type Catalogue<M extends Messages> = { readonly [K in keyof M]: Spoken<M[K]> }
/** Messages in another language. */
export interface Translation<T extends Messages> {
  readonly [SOURCE]?: T
}
declare const SOURCE: unique symbol

/** The modules of a catalogue in other languages; each exports its `translation`. */
export type Translations = Readonly<
  Record<string, () => Promise<{ readonly default: Translation<Messages> }>>
>
/** Translations of `M`: known keys only, without arguments of their own. */
export type TranslationsOf<L, M> = {
  readonly [K in keyof L]: L[K] extends () => Promise<{ default: Translation<infer T> }>
    ? T extends Translated<T, M>
      ? L[K]
      : never
    : never
}
type Translated<T, M> = {
  readonly [K in keyof T]: K extends keyof M
    ? [T[K], M[K]] extends [infer New extends string, infer Old extends string]
      ? NamesOf<New> extends NamesOf<Old>
        ? New
        : never
      : never
    : never
}

/** Loads a catalogue's messages in a language, if it has them. */
export type Load = (
  language: string,
) => Promise<{ readonly default: Translation<Messages> }> | undefined

/** Returns a message as the runtime needs it. */
export type Read = (key: string) => Compiled | undefined

interface Languages {
  readonly keys: readonly string[]
  readonly english: Read
  readonly load: Load
  readonly loaded: Map<string, Read>
}

/** The language in which every message exists. */
export const ENGLISH = 'en'
const all = new Set<Languages>()
const behind = new WeakMap<object, Languages>()
const reads = new WeakMap<object, Read>()
let spoken = ENGLISH

/** Chooses the language of this program, before texts are read. */
export function speak(language: string): void {
  spoken = language
}

/** Loads this language for every catalogue that exists by now. */
export async function loadTranslations(language: string): Promise<void> {
  await Promise.all(
    [...all].map(async ({ load, loaded }) => {
      if (loaded.has(language)) return
      // What does not load stays English, and is asked for again with the next page.
      const module = await load(language)?.catch(() => undefined)
      const read = module && reads.get(module.default)
      if (read) loaded.set(language, read)
    }),
  )
}

/** Loads the language of this program for what has been loaded since. */
export const loadSpoken = async (): Promise<void> => {
  if (spoken !== ENGLISH) await loadTranslations(spoken)
}

/** The catalogue in one language, whatever the program speaks: for mails and notifications. */
export function inLanguage<C extends object>(catalogue: C, language: string): C {
  const languages = behind.get(catalogue)
  return languages ? (view(languages, () => language) as C) : catalogue
}

/** Makes a catalogue of English messages. */
export function bind(keys: readonly string[], english: Read, load: Load): object {
  const languages: Languages = { keys, english, load, loaded: new Map() }
  all.add(languages)
  return view(languages, () => spoken)
}

/** Makes a translation, which is used through its catalogue. */
export function bindTranslation(read: Read): object {
  const translation = {}
  reads.set(translation, read)
  return translation
}

function view(languages: Languages, language: () => string): object {
  const catalogue = {}
  for (const key of languages.keys)
    Object.defineProperty(catalogue, key, {
      enumerable: true,
      get: () => say(languages, key, language()),
    })
  behind.set(catalogue, languages)
  return catalogue
}

function say({ english, loaded }: Languages, key: string, language: string): unknown {
  const translated = loaded.get(language)?.(key)
  const message = translated ?? english(key) ?? key
  if (typeof message === 'string') return message
  return (values: Values) => {
    // English that stands in keeps its own plurals.
    const parts = partsOf(message, values, translated === undefined ? ENGLISH : language)
    return message[0] === 1 ? parts : parts.join('')
  }
}
