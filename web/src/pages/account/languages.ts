import { spokenLanguage } from '../../session/language.ts'

const LOCALES = [
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-US',
  'es-ES',
  'fi-FI',
  'fr-CH',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nb-NO',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'sv-SE',
  'tr-TR',
  'uk-UA',
  'zh-CN',
]
/**
 * The languages to choose from, by their names in the panel's language, plus one that was set through
 * the API.
 */
export function languageChoices(own: string | null) {
  const names = new Intl.DisplayNames(spokenLanguage(), { type: 'language' })
  const all = own === null || LOCALES.includes(own) ? LOCALES : [own, ...LOCALES]
  return all
    .map((locale) => ({ value: locale, label: names.of(locale) ?? locale }))
    .toSorted((a, b) => a.label.localeCompare(b.label, spokenLanguage()))
}
