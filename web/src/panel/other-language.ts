import translations from 'virtual:translations'
import type { Phrasebooks } from '@lodge/shared/phrases/phrasebook.ts'
import { loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { placeTranslations } from '@lodge/shared/words/placed.ts'
import { sayWith } from './said.ts'

/** The phrasebooks, by language. */
const PHRASES: Readonly<Record<string, () => Promise<Phrasebooks>>> = {
  de: () => import('@lodge/shared/phrases/de/index.ts'),
}

/** Switches to a language other than English, as far as its texts exist and can be loaded. */
export async function speakOther(language: string): Promise<void> {
  placeTranslations(translations)
  speak(language)
  const [books] = await Promise.all([
    PHRASES[language]?.().catch(() => undefined),
    loadTranslations(language),
  ])
  if (books) sayWith(books)
}
