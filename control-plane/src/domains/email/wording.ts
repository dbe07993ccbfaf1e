import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Ctx } from '../../context.ts'
import type { Mail } from '../../events/mails.ts'
import type { Wording } from './render.ts'
import * as store from './store.ts'

/** The effective wording: the host's own, which exists in one language, or the built-in one. */
export async function wordingOf(
  ctx: Ctx,
  mail: Mail,
  language: Language,
): Promise<Wording & { enabled: boolean }> {
  const row = await store.findEdit(ctx.db, mail.id)
  const own = ownWording(mail, row)
  const wording: Wording = own ? { ...own, language: ENGLISH } : builtInWording(ctx, mail, language)
  return { ...wording, enabled: row?.enabled ?? true }
}

/**
 * The wording of a row if it is the host's own. A row that only turns the mail off contains the
 * built-in wording of its time, which does not count: the mail uses that of this version.
 */
export function ownWording(
  mail: Mail,
  row: store.TemplateRow | undefined,
): Omit<Wording, 'language'> | undefined {
  if (!row) return undefined
  const { subject, body, html } = row
  const isBuiltIn =
    html === null &&
    subject === (row.builtInSubject ?? mail.subject) &&
    body === (row.builtInBody ?? mail.body)
  return isBuiltIn ? undefined : { subject, body, html }
}

export function builtInWording(
  { catalogue }: Pick<Ctx, 'catalogue'>,
  { id, subject, body }: Mail,
  language: Language,
): Wording {
  const translated = catalogue.mailTranslations[language]?.[id]
  return translated
    ? { ...translated, html: null, language }
    : { subject, body, html: null, language: ENGLISH }
}

/**
 * Completes rows of versions that did not record the built-in wording, even from such a version that
 * still runs beside this one. Compares with today's wording, the closest to theirs that we have.
 */
export async function recordBuiltIns({ db, catalogue }: Ctx): Promise<void> {
  for (const { id, builtInSubject } of await store.listEdits(db)) {
    const mail = catalogue.mails.get(id)
    if (mail && builtInSubject === null) await store.recordBuiltIn(db, id, mail)
  }
}
