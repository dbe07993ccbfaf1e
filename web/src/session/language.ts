import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'

/** The language chosen in this browser, and the one that the signed-in account set instead. */
const KEY = 'lodge.language'
const ACCOUNT = 'lodge.language-account'
/** The language for which this tab has already reloaded the panel, to prevent loops. */
const ASKED = 'lodge.language-asked'

/** The language that the panel was loaded in. */
export const spokenLanguage = (): string => document.documentElement.lang

/** Each language by its own name, e.g. `Deutsch`. */
export const languages = LANGUAGES.map((language) => ({
  value: language,
  lang: language,
  label: new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language,
}))

/**
 * Sets the language of this browser for everybody who signs in, unless their account sets another.
 */
export function setLanguage(language: Language): void {
  keep(() => {
    localStorage.removeItem(ACCOUNT)
    localStorage.setItem(KEY, language)
  }, language)
}

/** Applies the account's language; null means the one that the browser requests (index.html). */
export function setAccountLanguage(language: Language | null): void {
  keep(() => {
    if (language !== null) return localStorage.setItem(ACCOUNT, language)
    localStorage.removeItem(ACCOUNT)
    localStorage.removeItem(KEY)
  }, language)
}

/**
 * Applies the language of an account. Reloads at most once, even if the browser's storage forgets it.
 */
export function speakFor(language: Language): void {
  try {
    if (spokenLanguage() === language || sessionStorage.getItem(ASKED) === language) return
    sessionStorage.setItem(ASKED, language)
    localStorage.setItem(ACCOUNT, language)
    location.reload()
  } catch {
    // Without storage, a reload would change nothing.
  }
}

/** Leaves the next person the language chosen in this browser, without that of the account. */
export function forgetAccountLanguage(): void {
  try {
    sessionStorage.removeItem(ASKED)
    localStorage.removeItem(ACCOUNT)
  } catch {
    // Without storage there is nothing to forget.
  }
}

function keep(store: () => void, language: Language | null): void {
  try {
    sessionStorage.removeItem(ASKED)
    store()
    if (spokenLanguage() !== language) location.reload()
  } catch {
    // As above.
  }
}
