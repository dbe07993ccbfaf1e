import { randomUUIDv7 } from 'node:crypto'
import { CURRENCY_DECIMALS } from '@lodge/shared/billing/currencies.ts'
import { lockOwner } from '../../customers/index.ts'
import { addToBalance } from '../invoice-store.ts'
import { exactAmount } from './exact.ts'
import type { CustomerFound } from './import-customers.ts'
import { forEach, type Run, skipped, writeOnce } from './run.ts'
import type { SourceCredit } from './source.ts'

const NOTHING = /^(0+(\.0*)?)?$/

/** Imports the balances of customers. */
export async function importCredits(
  run: Run,
  credits: AsyncIterable<SourceCredit>,
  customers: ReadonlyMap<string, CustomerFound>,
): Promise<void> {
  await forEach(run, 'credit', withAmount(credits), async (credit, before) => {
    const { id, currency } = credit
    const about = `${credit.amount} ${currency}`.slice(0, 60)
    const outcome = { kind: 'credit', sourceId: id, about } as const
    if (before !== undefined)
      return { ...outcome, result: 'imported before', note: '', targetId: before }
    const skip = (note: string) => skipped('credit', id, about, note)
    const customer = customers.get(credit.customerId) ?? {
      refusal: 'its customer is not in the export',
    }
    if ('refusal' in customer) return skip(customer.refusal)
    if (!CURRENCY_DECIMALS.has(currency)) return skip('its currency is unknown')
    const amount = exactAmount(credit.amount, currency)
    if (amount === undefined) return skip('it is negative, or no amount of its currency')
    const targetId = randomUUIDv7()
    const { id: userId } = customer
    const isNew = await writeOnce(run, { kind: 'credit', sourceId: id, targetId }, async (db) => {
      if (userId === null || !(await lockOwner(db, userId))) throw new Error('a customer is gone')
      const entry = { id: targetId, userId, currency, amount, createdAt: run.now }
      await addToBalance(db, entry)
    })
    if (!isNew) return skip('another import is running: import again')
    return { ...outcome, result: 'new', note: '', targetId: run.writes ? targetId : null }
  })
}

async function* withAmount(credits: AsyncIterable<SourceCredit>): AsyncGenerator<SourceCredit> {
  for await (const credit of credits) if (!NOTHING.test(credit.amount)) yield credit
}
