import type { RuleAction } from '@lodge/shared/support/rules/rule.ts'
import type { Db } from '../../../db/database.ts'
import { isAgent } from '../categories/agents-store.ts'
import { findCategory, findGroup } from '../categories/store.ts'
import { findTier } from '../tiers/store.ts'

/** Something that an action names and that does not exist, or no longer. */
interface Missing {
  readonly pointer: string
  readonly detail: string
}

/** What the actions of a rule name and what is not there. */
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
  return undefined
}
