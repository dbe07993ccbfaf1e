import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'

const KEY = 'lodge.language'
/** The language for which the panel was loaded again, in this tab. */
const ASKED = 'lodge.language-asked'

/** The language that the panel speaks since it was loaded. */
export const spokenLanguage = (): string => document.documentElement.lang

/** Each language by its own name, e.g. `Deutsch`. */
export const languages = LANGUAGES.map((language) => ({
  value: language,
  label: new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language,
}))

/** Speaks a language on this browser from now on; null is what the browser asks for (index.html). */
export function setLanguage(language: Language | null): void {
  try {
    sessionStorage.removeItem(ASKED)
    keep(language)
  } catch {
    // Without storage nothing would be different after a reload.
  }
}

/** Speaks the language of an account. A browser whose storage forgets it is asked once. */
export function speakFor(language: Language): void {
  try {
    if (spokenLanguage() === language || sessionStorage.getItem(ASKED) === language) return
    sessionStorage.setItem(ASKED, language)
    keep(language)
  } catch {
    // As above.
  }
}

function keep(language: Language | null): void {
  if (language === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, language)
  if (spokenLanguage() !== language) location.reload()
}
