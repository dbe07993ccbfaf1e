import type { z } from 'zod'
import type { Answers } from './answers.ts'
import type { ActionCatalogue } from './audit/words.ts'
import type { Notices } from './events/notices.ts'

/** An area of settings: its name, its schema and what holds until somebody changes it. */
export interface Area<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly initial: T
  /** By JSON pointer: variables of the environment that hold in place of a setting, while they are given. */
  readonly variables?: Readonly<Record<string, string>>
}

/** The sums of what the domains declare, for those parts of Lodge that tell of all of them. */
export interface Catalogue {
  readonly actions: ActionCatalogue
  readonly settings: readonly Area<object>[]
  readonly notices: Notices
  readonly answers: Answers
}
