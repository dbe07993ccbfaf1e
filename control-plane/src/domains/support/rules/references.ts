import type { RuleAction } from '@lodge/shared/support/rules/rule.ts'
import type { Db } from '../../../db/database.ts'
import { findWebhook } from '../../notifications/index.ts'
import { isAgent } from '../categories/agents-store.ts'
import { findCategory, findGroup } from '../categories/store.ts'
import { findTier } from '../tiers/store.ts'

/** A reference of an action to something that does not exist, or no longer. */
interface Missing {
  readonly pointer: string
  readonly detail: string
}

/** The broken references in a rule's actions. */
export async function missingOf(db: Db, actions: readonly RuleAction[]): Promise<Missing[]> {
  const found = await Promise.all(actions.map((action) => missingIn(db, action)))
  return found.flatMap((missing, at) =>
    missing ? [{ ...missing, pointer: `/actions/${at}/${missing.pointer}` }] : [],
  )
}

async function missingIn(db: Db, action: RuleAction): Promise<Missing | undefined> {
  if ('categoryId' in action && !(await findCategory(db, action.categoryId)))
    return { pointer: 'categoryId', detail: 'is no category of the desk' }
  if ('groupId' in action && !(await findGroup(db, action.groupId)))
    return { pointer: 'groupId', detail: 'is no group of agents' }
  if ('tierId' in action && !(await findTier(db, action.tierId)))
    return { pointer: 'tierId', detail: 'is no tier of the desk' }
  if ('agentId' in action && action.agentId && !(await isAgent(db, action.agentId)))
    return { pointer: 'agentId', detail: 'is nobody who may see tickets' }
  if ('channelId' in action && !(await findWebhook(db, action.channelId)))
    return { pointer: 'channelId', detail: NO_WEBHOOK }
  return undefined
}

const NO_WEBHOOK = 'is none of your webhooks that are in use'

/**
 * Channels that belong to other accounts. A rule keeps those that it already has: only their owners
 * may choose them.
 */
export async function foreignIn(
  db: Db,
  actions: readonly RuleAction[],
  { userId, kept }: { readonly userId: string; readonly kept: readonly RuleAction[] },
): Promise<Missing[]> {
  const before = new Set(kept.flatMap((action) => ('channelId' in action ? action.channelId : [])))
  const foreign = await Promise.all(
    actions.map(async (action, at) => {
      if (!('channelId' in action) || before.has(action.channelId)) return []
      const owner = (await findWebhook(db, action.channelId))?.userId
      return owner === userId ? [] : [{ pointer: `/actions/${at}/channelId`, detail: NO_WEBHOOK }]
    }),
  )
  return foreign.flat()
}
