import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'
import type { NodeRow } from './tables.ts'

/**
 * Tells who owns what depends on a node that it is removed, in the transaction of the removal, which
 * they may refuse. `confirmed` accepts that something is lost.
 */
export const nodeRemoval = new Question<
  (ctx: Ctx, node: NodeRow, confirmed: boolean) => Promise<void>
>('what depends on a node that is removed')
