import { randomUUIDv7 } from 'node:crypto'
import {
  type ChangeRule,
  type Rule,
  type RuleAction,
  type RuleRun,
  type TriedRule,
  WriteRule,
} from '@lodge/shared/support/rules/rule.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { lockCap, requireFree } from '../../../db/cap.ts'
import type { Resource } from '../../../http/access.ts'
import { invalid } from '../../../http/input.ts'
import { notFound } from '../../../problem.ts'
import { requireStaff } from '../tickets/reader.ts'
import { findTicket } from '../tickets/store.ts'
import { ruleCap } from './cap-store.ts'
import { matches, meets } from './matches.ts'
import { foreignIn, missingOf } from './references.ts'
import { listRuns } from './runs-store.ts'
import { seenTicket } from './seen.ts'
import * as store from './store.ts'

/** A rule of the desk. */
export const rule: Resource<'rule', store.RanRule, never> = {
  name: 'rule',
  loads: (ctx, id) => store.findRule(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}

const shown = ({ createdAt: _, lastRanAt, ...row }: store.RanRule): Rule => ({
  ...row,
  lastRanAt: lastRanAt?.toISOString() ?? null,
})

/** All rules, in the order in which they run. */
export const listRules = async ({ db }: Ctx): Promise<{ items: Rule[] }> => ({
  items: (await store.listRules(db)).map(shown),
})

/** Adds a rule at the end. */
export const createRule = (ctx: Ctx<User>, given: WriteRule): Promise<Rule> =>
  ctx.transaction(async (ctx) => {
    const { db } = ctx
    await requireFree(db, ruleCap)
    await checkReferences(ctx, given, [])
    const { length: position } = await store.listRules(db)
    const row = await store.insertRule(db, { id: randomUUIDv7(), position, ...given })
    return shown({ ...row, lastRanAt: null })
  })

/** Changes the given fields of a rule, and moves it to its new position. */
export const changeRule = (
  ctx: Ctx<User>,
  id: string,
  { position, ...given }: ChangeRule,
): Promise<Rule> =>
  ctx.transaction(async (ctx) => {
    const { db } = ctx
    // Serializes changes of the order.
    await lockCap(db, ruleCap, '')
    const present = await store.findRule(db, id)
    if (!present) throw notFound('rule')
    const wanted = wantedOf(present, given)
    if (wanted.enabled) await checkReferences(ctx, wanted, present.actions)
    await store.updateRule(db, id, {
      ...wanted,
      disabledReason: wanted.enabled ? null : present.disabledReason,
    })
    if (position !== undefined) await moveTo(ctx, id, position)
    const changed = await store.findRule(db, id)
    if (!changed) throw notFound('rule')
    return shown(changed)
  })

function wantedOf(
  { name, enabled, on, idleMinutes, when, actions, stop }: store.RanRule,
  given: Omit<ChangeRule, 'position'>,
): WriteRule {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined)
  const wanted = WriteRule.safeParse({
    ...{ name, enabled, on, idleMinutes, when, actions, stop },
    ...Object.fromEntries(defined),
  })
  if (wanted.success) return wanted.data
  // Each field is valid on its own; these two depend on each other.
  const detail = 'is given for rules about idle tickets, and only for them'
  throw invalid([{ pointer: '/idleMinutes', detail }])
}

async function moveTo({ db }: Ctx, id: string, position: number): Promise<void> {
  const others = (await store.listRules(db)).map((one) => one.id).filter((one) => one !== id)
  await store.placeRules(db, others.toSpliced(position, 0, id))
}

export const deleteRule = (ctx: Ctx<User>, id: string): Promise<void> =>
  ctx.transaction(async ({ db }) => {
    await lockCap(db, ruleCap, '')
    await store.deleteRule(db, id)
    await store.placeRules(
      db,
      (await store.listRules(db)).map((one) => one.id),
    )
  })

/** @param kept the rule's actions so far */
async function checkReferences(
  { db, actor }: Ctx<User>,
  { actions }: WriteRule,
  kept: readonly RuleAction[],
): Promise<void> {
  const missing = await missingOf(db, actions)
  const foreign = missing.length > 0 ? [] : await foreignIn(db, actions, { userId: actor.id, kept })
  if (missing.length + foreign.length > 0) throw invalid([...missing, ...foreign])
}

/** Whether a rule would do something to a ticket; changes nothing. */
export async function tryRule(
  ctx: Ctx<User>,
  { when }: WriteRule,
  ticketId: string,
): Promise<TriedRule> {
  requireStaff(ctx.actor, 'support.settings')
  const ticket = await findTicket(ctx.db, ticketId)
  if (!ticket) throw invalid([{ pointer: '/ticketId', detail: 'is no ticket' }])
  const seen = await seenTicket(ctx, ticket, null)
  return {
    matches: matches({ when }, seen),
    all: when.all.map((condition) => meets(condition, seen, [])),
    any: when.any.map((condition) => meets(condition, seen, [])),
  }
}

const runOf = ({ at, ticket, ...run }: Awaited<ReturnType<typeof listRuns>>[number]): RuleRun => ({
  ...run,
  at: at.toISOString(),
  ticket: { ...ticket, number: ticketNumber(ticket.number) },
})

/** A rule's latest runs, for those who may see the tickets. */
export async function runsOf(ctx: Ctx<User>, { id }: store.RanRule): Promise<{ items: RuleRun[] }> {
  requireStaff(ctx.actor, 'support.settings')
  const items = await listRuns(ctx.db, id)
  return { items: items.map(runOf) }
}
