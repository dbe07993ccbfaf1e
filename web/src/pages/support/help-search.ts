import { given, type Raw, text } from '../../routes/search.ts'

/** The search text, and the language of an article. */
export const helpSearch = (raw: Raw) => given({ q: text(raw.q), locale: text(raw.locale) })
