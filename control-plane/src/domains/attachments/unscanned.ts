import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'

/**
 * Whether a file passes that no scanner could check after several attempts. Such files are held
 * otherwise, and also if nobody answers. The domain of the support desk answers.
 */
export const mayPassUnscanned = new Question<(ctx: Ctx) => Promise<boolean>>(
  'whether unscanned files pass',
)
