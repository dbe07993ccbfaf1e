import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Ctx } from '../../context.ts'
import { languageOf, localeOf, type Reader, readerOf } from '../../moment-text.ts'
import type { UserRow } from '../customers/index.ts'
import { lastLocale } from './invoice-store.ts'

/**
 * How the next invoice of a customer is written: as they chose with their account, or else as what they
 * asked for just now, or as their last invoice. It is kept with the invoice, which never changes.
 */
export async function localeForInvoice(ctx: Ctx, user: UserRow): Promise<string> {
  const asked = ctx.actor.kind === 'user' && ctx.actor.id === user.id ? ctx.language : undefined
  const { language, locale } = readerOf(
    user,
    asked ?? languageOf(await lastLocale(ctx.db, user.id)),
  )
  return locale !== null && languageOf(locale) === language ? locale : localeOf(language)
}

/** Who reads an invoice or a credit note. @param locale of the invoice; null is English, from before it was kept */
export const paperReader = (locale: string | null): Reader => ({
  language: languageOf(locale) ?? ENGLISH,
  locale,
  timeZone: null,
})
