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
const names = new Intl.DisplayNames('en', { type: 'language' })

/** The languages to choose from, and the own one if it was set through the API. */
export const languageChoices = (own: string | null) =>
  (own === null || LOCALES.includes(own) ? LOCALES : [own, ...LOCALES]).map((locale) => ({
    value: locale,
    label: names.of(locale) ?? locale,
  }))
