import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Ctx } from '../../context.ts'
import { languageOf, localeOf, type Reader, readerOf } from '../../moment-text.ts'
import type { UserRow } from '../customers/index.ts'
import { lastLocale } from './invoice-store.ts'

/**
 * The locale of a customer's next invoice: that of their account, otherwise that of their current
 * request, otherwise that of their last invoice. It is stored with the invoice, which never changes.
 */
export async function localeForInvoice(ctx: Ctx, user: UserRow): Promise<string> {
  const asked = ctx.actor.kind === 'user' && ctx.actor.id === user.id ? ctx.language : undefined
  const { language, locale } = readerOf(
    user,
    asked ?? languageOf(await lastLocale(ctx.db, user.id)),
  )
  return locale !== null && languageOf(locale) === language ? locale : localeOf(language)
}

/**
 * The reader of an invoice or a credit note.
 * @param locale of the invoice; null, for invoices from before locales were stored, means English
 */
export const paperReader = (locale: string | null): Reader => ({
  language: languageOf(locale) ?? ENGLISH,
  locale,
  timeZone: null,
})
