import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'

/**
 * Why a payment plugin must not be uninstalled, in a sentence that says what to do; null if it may
 * be. The domain of subscriptions answers.
 */
export const pluginInUse = new Question<(ctx: Ctx, pluginId: string) => Promise<string | null>>(
  'why a plugin must stay',
)
