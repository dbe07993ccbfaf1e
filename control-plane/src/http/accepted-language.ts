import type { Language } from '@lodge/shared/words/languages.ts'
import { languageOf } from '../moment-text.ts'

/** The first language of texts that a request prefers (RFC 9110, 12.5.4); undefined for none of them. */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  const wanted = (header ?? '').split(',', 50).flatMap((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const language = languageOf(tag)
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
    return language === undefined ? [] : [{ language, weight: Number(quality ?? 1) }]
  })
  return wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)[0]?.language
}
