import type { Load, Translations } from './bind.ts'

/** Of each language, what loads the translation of the catalogue at each place. */
export type Placed = Readonly<Record<string, Readonly<Record<number, Translations[string]>>>>

let placed: Placed = {}

/** Tells where the build put translations, so that catalogues name no files that English never loads. */
export function placeTranslations(list: Placed): void {
  placed = list
}

/** Loads the translation at a place of the build's list. */
export const loadPlaced = (language: string, place: number): ReturnType<Load> =>
  placed[language]?.[place]?.()
