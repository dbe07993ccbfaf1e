import { randomUUID } from 'node:crypto'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { callPlugin } from '../../../control-plane/src/domains/plugins/index.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

export const TAXMAN = 'taxman'

/**
 * A plugin that knows the taxes of three countries; its mood, its rates and the number of calls are
 * in its storage.
 */
const PLUGIN = `
export default (host) => {
  const read = async (name) => JSON.parse((await host.storage.get(name)) ?? 'null')
  const NONSENSE = {
    negative: (quote) => ({ ...quote, total: -quote.total, taxes: [{ ...quote.taxes[0], amount: -quote.total }] }),
    sum: (quote) => ({ ...quote, total: quote.total + 1 }),
    taxes: (quote) => ({ ...quote, taxes: quote.taxes.map((tax) => ({ ...tax, amount: tax.amount - 1 })) }),
    line: (quote) => ({ ...quote, lines: quote.lines.slice(1) }),
    currency: (quote) => ({ ...quote, currency: 'USD' }),
    fraction: (quote) => ({ ...quote, total: quote.total + 0.5 }),
    huge: (quote) => ({ ...quote, lines: quote.lines.map((one) => ({ ...one, amount: 9e9 })) }),
    text: () => 'none',
  }
  return {
    health: () => ({ ok: true, message: 'In office' }),
    tax: {
      async quote({ currency, lines, buyer }) {
        await host.storage.set('asked:' + Math.random(), JSON.stringify({ lines, buyer }))
        const mood = await read('mood')
        if (mood === 'away') throw new Error('Nobody is in the office')
        if (buyer.taxNumber === 'WRONG') throw host.refusal('bad_tax_number', 'Unknown number')
        if (buyer.country === 'AQ') throw host.refusal('bad_address', 'Unknown country')
        const known = { DE: [['VAT', 'DE', '19']], US: [['Sales tax', 'California', '7.25'], ['Sales tax', 'Alameda', '3.125']] }
        const rates = (await read('rates:' + buyer.country)) ?? known[buyer.country] ?? []
        const part = (amount, percent) => Math.round(amount * Number(percent) / 100)
        const taxes = rates.map(([name, jurisdiction, percent]) => ({ name, jurisdiction, percent,
          amount: lines.reduce((sum, { amount }) => sum + part(amount, percent), 0) }))
        const taxed = lines.map(({ id, amount }) => ({ id,
          amount: rates.reduce((sum, [, , percent]) => sum + part(amount, percent), 0) }))
        const quote = { currency, lines: taxed, taxes, total: taxes.reduce((sum, tax) => sum + tax.amount, 0) }
        return NONSENSE[mood] ? NONSENSE[mood](quote) : quote
      },
    },
  }
}`

const DAY_MS = 86_400_000

/** A Lodge whose tax a plugin calculates. @param start starts it, or its panel */
export async function taxWorld(
  egressHost: string,
  start = (environment: Readonly<Record<string, string>>) => startLodge({ environment }),
) {
  const key = newKey()
  const environment = { LODGE_PLUGIN_KEYS: publicKeyOf(key), LODGE_EGRESS_HOSTS: egressHost }
  const lodge: Lodge = await start(environment)
  const admin = await lodge.admin()
  const about = { kinds: ['tax'], permissions: ['billing.tax', 'storage'] } as const
  await addProvider(admin, TAXMAN, PLUGIN, key, about as never)
  const services = () => lodge.controlPlane.services
  // Stops the background tasks: the tests run each step themselves.
  await callPlugin(services(), TAXMAN, 'plugin.health', {})
  const taxBy = async (tax: object | null) => {
    const settings = await admin.must('GET /api/billing/settings')
    return admin.call('PUT /api/billing/settings', { body: { ...settings, tax: tax as null } })
  }
  await taxBy({ provider: TAXMAN })

  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await lodge.database.pool.query<Row>(text, values)).rows
  const book = (name: string, value: unknown) =>
    query(
      `insert into plugin_storage (plugin_id, key, value) values ($1, $2, $3)
       on conflict (plugin_id, key) do update set value = excluded.value`,
      [TAXMAN, name, JSON.stringify(value)],
    )
  const mood = (value: string | null) => book('mood', value)
  const asked = async () =>
    (
      await query(`select from plugin_storage where plugin_id = $1 and key like 'asked:%'`, [
        TAXMAN,
      ])
    ).length

  const plan = (price: object = {}, more: object = {}) =>
    admin.must('POST /api/plans', {
      body: {
        ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
        prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR', ...price }],
        ...more,
      },
    })

  /** A customer in a country; an empty country means that the address is unknown. */
  async function somebody(country = 'DE', more: object = {}) {
    const { id, email } = await lodge.customer()
    const person = await lodge.session(id, email)
    const live = (place: object) =>
      person.must('PUT /api/billing/address', { body: { address: 'Main Road 1', ...place } })
    if (country !== '') await live({ country, ...more })
    const billing = async () => {
      const found = await person.must('GET /api/billing')
      return { ...found, subscription: found.subscriptions[0], newest: found.invoices[0] }
    }
    const preview = (planId: string) =>
      person.call('GET /api/store/preview-checkout', { query: { planId, cycle: 'monthly' } })
    const buy = (planId: string, total?: number) =>
      person.call('POST /api/store/checkout', {
        body: { planId, cycle: 'monthly', ...(total !== undefined && { total }) },
      })
    const pay = async () => {
      const { newest } = await billing()
      await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
        ...{ params: { id: newest?.id ?? '' }, body: { amount: newest?.amountDue ?? 0 } },
      })
    }
    const told = async () => {
      const { items } = await person.must('GET /api/notifications')
      return items.map(({ title }) => title)
    }
    return { id, email, person, live, billing, preview, buy, pay, told }
  }
  type Somebody = Awaited<ReturnType<typeof somebody>>

  async function subscriber(country = 'DE', planId?: string) {
    const one = await somebody(country)
    await one.person.must('POST /api/store/checkout', {
      body: { planId: planId ?? (await plan()).id, cycle: 'monthly' },
    })
    await one.pay()
    const { subscription } = await one.billing()
    const id = subscription?.id ?? ''
    return { ...one, subscriptionId: id, end: Date.parse(subscription?.periodEnd ?? '') }
  }
  /** Runs the tasks due for the customer at a time. */
  async function runAt({ id }: Somebody, at: Date) {
    await query(
      'update subscriptions set next_at = $1 where next_at is not null and user_id = $2',
      [at, id],
    )
    // Nothing of other customers is due before that.
    await query('update subscriptions set next_at = $1 where next_at < $1 and user_id <> $2', [
      new Date(at.getTime() + DAY_MS),
      id,
    ])
    await advanceDue(services(), at)
  }
  /** Runs work at a time when the transaction of every invoice is aborted. */
  async function killedBeforeInvoice(work: () => Promise<unknown>) {
    await query(`create or replace function killed() returns trigger language plpgsql as
      $$ begin raise exception 'the machine lost its power'; end $$`)
    await query(
      'create or replace trigger killed before insert on invoices for each row execute function killed()',
    )
    try {
      await work()
    } finally {
      await query('drop trigger killed on invoices')
    }
  }
  const daysAfter = (ms: number, days: number) => new Date(ms + days * DAY_MS)
  const waiting = async (one: Somebody) => {
    const { waiting } = await admin.must('GET /api/billing/tax')
    return waiting.filter(({ userId }) => userId === one.id)
  }
  return {
    ...{ lodge, admin, key, services, taxBy, query, book, mood, asked, plan, somebody },
    ...{ subscriber, runAt, killedBeforeInvoice, daysAfter, waiting },
    end: () => lodge[Symbol.asyncDispose](),
  }
}
