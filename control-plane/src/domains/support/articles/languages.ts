/** Configurations of text search that every PostgreSQL has, by language. */
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

/** How the words of a language are searched; those of others as they are written. */
export const configurationOf = (locale: string): string =>
  CONFIGURATIONS[locale.split('-')[0] ?? ''] ?? 'simple'
