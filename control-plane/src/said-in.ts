import * as german from '@lodge/shared/phrases/de/index.ts'
import type { Phrasebooks } from '@lodge/shared/phrases/phrasebook.ts'
import { ENGLISH, inLanguage } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Reader } from './moment-text.ts'

const BOOKS: Readonly<Record<Exclude<Language, typeof ENGLISH>, Phrasebooks>> = { de: german }

/** A text declared in code, such as the title of a job, in the reader's language. */
export const saidIn = (text: string, { language }: Pick<Reader, 'language'>): string =>
  language === ENGLISH ? text : BOOKS[language].say(text)

/** The same for a reason: why something failed or is not possible. */
export const reasonIn = (text: string, { language }: Pick<Reader, 'language'>): string =>
  language === ENGLISH ? text : BOOKS[language].sayReason(text)

/** The words of a catalogue as a person reads them. */
export const wordsFor = <C extends object>(
  catalogue: C,
  { language }: Pick<Reader, 'language'>,
): C => inLanguage(catalogue, language)
