import { LANGUAGES, type Language } from '@lodge/shared/words/languages.ts'

const KEY = 'lodge.language'

/** The language that the panel speaks since it was loaded. */
export const spokenLanguage = (): string => document.documentElement.lang

/** Each language by its own name, e.g. `Deutsch`. */
export const languages = LANGUAGES.map((language) => ({
  value: language,
  label: new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language,
}))

/**
 * Speaks a language on this browser from now on, which loads the panel again unless it speaks it already;
 * null is what the browser asks for (index.html).
 */
export function setLanguage(language: Language | null): void {
  const before = spokenLanguage()
  try {
    if (language === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, language)
  } catch {
    // Without storage nothing would be different after a reload.
    return
  }
  if (before !== language) location.reload()
}
