import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'

/**
 * Whether files pass that no scanner could judge after some attempts; they are held otherwise, and
 * without an answer. Answered by the domain of the support desk.
 */
export const mayPassUnscanned = new Question<(ctx: Ctx) => Promise<boolean>>(
  'whether files pass that could not be scanned',
)
