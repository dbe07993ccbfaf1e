import translations from 'virtual:translations'
import { placeTranslations } from '@lodge/shared/words/placed.ts'
import { chooseLanguage } from './choose-language.ts'
import type { Pages } from './define-pages.ts'
import { sayWith } from './said.ts'

/** The phrasebooks, by language. */
const PHRASES: Readonly<Record<string, () => Promise<{ readonly say: (text: string) => string }>>> =
  { de: () => import('../phrases/de/index.ts') }

/** Speaks a language other than English, with what the build has of it. */
export async function speakOther(list: readonly Pages[], language: string): Promise<void> {
  placeTranslations(translations)
  const [phrases] = await Promise.all([PHRASES[language]?.(), chooseLanguage(list, language)])
  if (phrases) sayWith(phrases.say)
}
