import {
  bind,
  bindTranslation,
  type Catalogue,
  type Messages,
  type Read,
  type Translation,
  type Translations,
  type TranslationsOf,
} from './bind.ts'
import { compile } from './compile.ts'
import type { Compiled } from './message.ts'

/**
 * A catalogue of ICU messages for people. A message without arguments is text, another a function
 * of them. Parses each message when it is first read; the panel's build parses them beforehand and
 * puts `compiled.ts` in the place of this file.
 */
export const catalogue = <const M extends Messages, L extends Translations>(
  english: M,
  translations?: L & TranslationsOf<L, M>,
): Catalogue<M> =>
  bind(Object.keys(english), reader(english), (language) =>
    translations?.[language]?.(),
  ) as Catalogue<M>

/** The messages of a catalogue in another language; what is missing stays English. */
export const translation = <const T extends Messages>(messages: T): Translation<T> =>
  bindTranslation(reader(messages))

function reader(messages: Messages): Read {
  const read = new Map<string, Compiled>()
  return (key) => {
    const message = messages[key]
    if (message === undefined) return undefined
    const compiled = read.get(key) ?? compile(message)
    read.set(key, compiled)
    return compiled
  }
}
