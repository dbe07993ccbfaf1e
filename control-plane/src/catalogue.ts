import type { z } from 'zod'
import type { Answers } from './answers.ts'
import type { ActionCatalogue } from './audit/words.ts'
import type { Letters, Mail, MailTranslations } from './events/mails.ts'
import type { Notices, NoticeType } from './events/notices.ts'
import type { Records } from './events/records.ts'

/** An area of settings: name, schema and default value. */
export interface Area<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly initial: T
  /** Environment variables that override a setting while they are set, by JSON pointer. */
  readonly variables?: Readonly<Record<string, string>>
}

/** What all domains declare, merged for the parts of Lodge that list it. */
export interface Catalogue {
  readonly actions: ActionCatalogue
  readonly settings: readonly Area<object>[]
  readonly notices: Notices
  /** Types of notifications, by name. */
  readonly noticeTypes: ReadonlyMap<string, NoticeType>
  readonly records: Records
  /** Every kind of mail, by id. */
  readonly mails: ReadonlyMap<string, Mail>
  readonly mailTranslations: MailTranslations
  readonly letters: Letters
  readonly answers: Answers
}
