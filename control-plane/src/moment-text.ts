import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'

/** How the person who reads a text wants it written. */
export interface Reader {
  /** What the texts are in. */
  readonly language: Language
  /** Format of times, e.g. `de-CH`; null is that of the language. */
  readonly locale: string | null
  /** Null is UTC. */
  readonly timeZone: string | null
}

/** The settings of an account that decide how texts for its person are written. */
export interface ReaderChoices {
  readonly preferences: { readonly language?: Language | null }
  readonly locale: string | null
  readonly timeZone: string | null
  /** In which language they last signed in. */
  readonly lastLanguage?: string | null
}

const NOBODY: Reader = { language: ENGLISH, locale: null, timeZone: null }
/** English days come before their month unless somebody chose otherwise. */
const FORMATS: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

/** The format of times and numbers in a language, for whom nothing else is known. */
export const localeOf = (language: Language): string => FORMATS[language]

/** The language of texts that is nearest to a language tag, e.g. German to `de-CH`. */
export const languageOf = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === tag?.split('-', 1)[0]?.toLowerCase())

/**
 * How a person reads: as they chose, or else in the language of their format of times, or in that in
 * which they last signed in.
 * @param asked what the person's own request asks for, if they chose nothing
 */
export const readerOf = (
  person: ReaderChoices | undefined,
  asked: Language | undefined = undefined,
): Reader => ({
  // Another release may have let them choose a language that this one does not have.
  language:
    languageOf(person?.preferences.language) ??
    languageOf(person?.locale) ??
    asked ??
    languageOf(person?.lastLanguage) ??
    ENGLISH,
  locale: person?.locale ?? null,
  timeZone: person?.timeZone ?? null,
})

/** How somebody reads of whom only the language is known. */
export const readerIn = (language: string | null): Reader => ({
  ...NOBODY,
  language: languageOf(language) ?? NOBODY.language,
})

/**
 * Formats a time for mail and notices, with the name of the zone: `22 November 2026, 09:30 UTC`.
 * Falls back to UTC, because the server does not know the time zone of the reader's browser.
 */
export function momentText(
  at: Date,
  { language: spoken, locale, timeZone }: Reader = NOBODY,
): string {
  const language = locale ?? FORMATS[spoken]
  const zone = { timeZone: timeZone ?? 'UTC' }
  const date = at.toLocaleDateString(language, {
    ...zone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const time = at.toLocaleTimeString(language, {
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return `${date}, ${time}`
}
