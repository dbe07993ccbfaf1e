import type { Ctx } from '../../context.ts'
import type { Mail } from '../../events/mails.ts'
import type { Wording } from './render.ts'
import * as store from './store.ts'

type Texts = Omit<Wording, 'language'>

/** Whether this is what the mail says anyway. */
export const isBuiltIn = ({ subject, body }: Mail, given: Texts): boolean =>
  given.subject === subject && given.body === body && given.html === null

/** The host's own wording of a mail; undefined while the built-in one applies. */
export function ownWording(mail: Mail, edit: store.TemplateRow | undefined): Texts | undefined {
  if (!edit || edit.subject === null || edit.body === null) return undefined
  const { subject, body, html } = edit
  const own = { subject, body, html }
  return isBuiltIn(mail, own) ? undefined : own
}

/**
 * Forgets the built-in wording where an earlier release stored it for a host that only turned a mail off
 * or on, before another release changes it.
 */
export async function forgetBuiltIn({ db, catalogue }: Pick<Ctx, 'db' | 'catalogue'>) {
  let forgotten = 0
  for (const { id, subject, body } of await store.listEdits(db)) {
    const mail = catalogue.mails.get(id)
    if (!mail || subject !== mail.subject || body !== mail.body) continue
    if (await store.forgetWording(db, { id, subject, body })) forgotten++
  }
  return { forgotten }
}
