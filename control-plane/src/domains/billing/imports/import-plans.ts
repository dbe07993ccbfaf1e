import { randomUUIDv7 } from 'node:crypto'
import { personName } from '@lodge/shared/accounts.ts'
import { CURRENCY_DECIMALS } from '@lodge/shared/billing/currencies.ts'
import type { Db } from '../../../db/database.ts'
import { insertCopy, insertPrices, planNames } from '../../plans/index.ts'
import { exactAmount } from './exact.ts'
import { forEach, type Outcome, type Run, skipped, writeOnce } from './run.ts'
import type { SourcePlan } from './source.ts'

const LONGEST_NAME = 80
const LONGEST_DESCRIPTION = 4000
const MOST_OF_ONE_NAME = 1000

/** A plan here, or why there is none; the id is null in a dry run. */
export type PlanFound =
  | { readonly id: string | null; readonly name: string }
  | { readonly refusal: string }

/** Imports plans as drafts that nobody can buy: only the host knows what their servers get. */
export async function importPlans(
  run: Run,
  plans: readonly SourcePlan[],
): Promise<ReadonlyMap<string, PlanFound>> {
  const found = new Map<string, PlanFound>()
  await forEach(run, 'plan', plans, async (plan, before) => {
    const chosen = run.planIds.get(plan.id)
    const present = chosen ?? before
    if (present === undefined) return create(run, plan, found)
    const name = (await planNames(run.db, [present])).get(present)
    found.set(
      plan.id,
      name === undefined ? { refusal: 'its plan was deleted here' } : { id: present, name },
    )
    return {
      ...{ kind: 'plan', sourceId: plan.id, about: name ?? plan.name, targetId: present },
      result: chosen === undefined ? 'imported before' : 'present',
      note: name === undefined ? 'deleted here since' : '',
    }
  })
  return found
}

async function create(run: Run, plan: SourcePlan, found: Map<string, PlanFound>): Promise<Outcome> {
  const named = personName.safeParse(plan.name.slice(0, LONGEST_NAME))
  if (!named.success) {
    found.set(plan.id, { refusal: 'its plan is not imported' })
    return skipped(
      'plan',
      plan.id,
      plan.name,
      'its name is none: name a plan of this panel with --plan',
    )
  }
  const prices = await pricesOf(run, plan)
  const id = randomUUIDv7()
  let name = named.data
  const isNew = await writeOnce(
    run,
    { kind: 'plan', sourceId: plan.id, targetId: id, fingerprint: plan.fingerprint },
    async (db) => {
      name = await insertNamed(db, {
        id,
        name: named.data,
        description: describe(plan.description),
      })
      const own = { planId: id, createdAt: run.now }
      await insertPrices(
        db,
        prices.map((price) => ({ id: randomUUIDv7(), ...own, ...price })),
      )
    },
  )
  found.set(
    plan.id,
    isNew
      ? { id: run.writes ? id : null, name }
      : { refusal: 'another import is running: import again' },
  )
  return {
    ...{ kind: 'plan', sourceId: plan.id, about: name, targetId: run.writes && isNew ? id : null },
    result: isNew ? 'new' : 'imported before',
    note: `a draft with ${prices.length} prices`,
  }
}

/** The prices that fit Lodge: one for each cycle and currency. */
async function pricesOf(run: Run, plan: SourcePlan) {
  const taken = new Set<string>()
  const prices = []
  for (const { cycle, currency, amount: said, setupFee: fee } of plan.prices) {
    const amount = exactAmount(said, currency)
    const setupFee = exactAmount(fee, currency)
    const key = `${cycle} ${currency}`
    const note = !CURRENCY_DECIMALS.has(currency)
      ? 'its currency is unknown'
      : amount === undefined || setupFee === undefined
        ? 'it is negative, or no amount of its currency'
        : taken.has(key)
          ? 'the plan has another one for this time and currency'
          : undefined
    taken.add(key)
    if (note !== undefined)
      await run.tell(skipped('price', plan.id, `${plan.name}, ${cycle}: ${said} ${currency}`, note))
    else if (amount !== undefined && setupFee !== undefined)
      prices.push({ cycle, currency, amount, setupFee })
  }
  return prices
}

/** Appends a number if the name is taken. */
async function insertNamed(
  db: Db,
  { name, ...plan }: { id: string; name: string; description: string },
): Promise<string> {
  for (let number = 1; number <= MOST_OF_ONE_NAME; number += 1) {
    const end = number === 1 ? '' : ` (${number})`
    const tried = name.slice(0, LONGEST_NAME - end.length).trimEnd() + end
    const draft = { kind: 'account', visibility: 'hidden', active: false } as const
    if (await insertCopy(db, { ...plan, ...draft, name: tried })) return tried
  }
  throw new Error(`${MOST_OF_ONE_NAME} plans are named ${name}`)
}

const describe = (text: string): string =>
  text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, LONGEST_DESCRIPTION)
    .trim()
