import { inLanguage } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { NoticeType } from '../../../events/notices.ts'
import { t } from './words.ts'

/** A message to a channel, before it takes the form of its kind. */
export interface Message {
  readonly type: string
  readonly severity: NoticeType['severity']
  readonly title: string
  readonly body: string
  /** A page of the panel. */
  readonly link: string | null
  readonly server: { readonly id: string; readonly name: string } | null
  readonly at: string
}

/** One delivery: a message, with how often it happened, or several gathered ones. */
export interface Parcel extends Message {
  readonly id: string
  readonly count: number
  /** The language of its texts. */
  readonly language: Language
  /** The gathered messages of a digest, oldest first. */
  readonly items: readonly Message[]
}

/** More are counted, not listed. */
const LISTED = 40

export const titleOf = ({ title, count, items }: Parcel): string =>
  items.length > 0 || count === 1 ? title : `${title} ×${count}`

/** The text below the title, in lines. */
export function bodyOf({ body, items, language }: Parcel): string {
  if (items.length === 0) return body
  const lines = items.slice(0, LISTED).map((item) => `• ${item.title}`)
  const more = items.length - lines.length
  return [...lines, ...(more > 0 ? [inLanguage(t, language).andMore({ count: more })] : [])].join(
    '\n',
  )
}

/** Gathers messages that waited, with the severity of the most severe one. */
export function digestOf(
  id: string,
  items: readonly Message[],
  at: Date,
  language: Language,
): Parcel {
  const severity = (['error', 'warn'] as const).find((one) =>
    items.some((item) => item.severity === one),
  )
  return {
    id,
    type: 'digest',
    severity: severity ?? 'info',
    title: inLanguage(t, language).notifications({ count: items.length }),
    body: '',
    link: '/notifications',
    server: null,
    at: at.toISOString(),
    count: items.length,
    language,
    items,
  }
}

/** Shortens to a number of UTF-16 units without splitting a character, with an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** Shortens to a number of bytes of UTF-8. */
export function cutBytes(text: string, most: number): string {
  let kept = text
  while (Buffer.byteLength(kept) > most)
    kept = cut(kept, Math.max(1, Math.floor((kept.length * most) / Buffer.byteLength(kept)) - 1))
  return kept
}
