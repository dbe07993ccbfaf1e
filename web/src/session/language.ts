import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'

/** What was chosen on this browser, and what the account that is signed in decided instead. */
const KEY = 'lodge.language'
const ACCOUNT = 'lodge.language-account'
/** The language for which the panel was loaded again, in this tab. */
const ASKED = 'lodge.language-asked'

/** The language that the panel speaks since it was loaded. */
export const spokenLanguage = (): string => document.documentElement.lang

/** Each language by its own name, e.g. `Deutsch`. */
export const languages = LANGUAGES.map((language) => ({
  value: language,
  lang: language,
  label: new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language,
}))

/** Speaks a language on this browser from now on, whoever signs in, unless their account decides. */
export function setLanguage(language: Language): void {
  keep(() => {
    localStorage.removeItem(ACCOUNT)
    localStorage.setItem(KEY, language)
  }, language)
}

/** Speaks the language that was chosen with the account; null is what the browser asks for (index.html). */
export function setAccountLanguage(language: Language | null): void {
  keep(() => {
    if (language !== null) return localStorage.setItem(ACCOUNT, language)
    localStorage.removeItem(ACCOUNT)
    localStorage.removeItem(KEY)
  }, language)
}

/** Speaks the language of an account. A browser whose storage forgets it is asked once. */
export function speakFor(language: Language): void {
  try {
    if (spokenLanguage() === language || sessionStorage.getItem(ASKED) === language) return
    sessionStorage.setItem(ASKED, language)
    localStorage.setItem(ACCOUNT, language)
    location.reload()
  } catch {
    // Without storage nothing would be different after a reload.
  }
}

/** Leaves to the next person what was chosen on this browser, and not what an account decided. */
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
