import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'
import type { NodeRow } from './tables.ts'

/**
 * Called in the transaction that removes a node, so that domains with something on the node clean up
 * or refuse. `confirmed` accepts losses.
 */
export const nodeRemoval = new Question<
  (ctx: Ctx, node: NodeRow, confirmed: boolean) => Promise<void>
>('what removing a node affects')
