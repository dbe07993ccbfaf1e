/** Text search configurations that every PostgreSQL has, by language. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
}

/** The text search configuration of a language; `simple`, without stemming, for others. */
export const configurationOf = (locale: string): string =>
  CONFIGURATIONS[locale.split('-')[0] ?? ''] ?? 'simple'
