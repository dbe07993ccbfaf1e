import translations from 'virtual:translations'
import { placeTranslations } from '@lodge/shared/words/placed.ts'
import { chooseLanguage } from './choose-language.ts'
import type { Pages } from './define-pages.ts'

/** Speaks a language other than English, with what the build has of it. */
export function speakOther(list: readonly Pages[], language: string): Promise<void> {
  placeTranslations(translations)
  return chooseLanguage(list, language)
}
