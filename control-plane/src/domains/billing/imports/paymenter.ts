import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import { exactTime, withoutTags } from './exact.ts'
import type { ExportFiles, Row } from './export-files.ts'
import type { Source, SourcePlan } from './source.ts'

const CYCLES: Readonly<Record<string, Cycle>> = {
  ...{ '7 day': 'weekly', '1 week': 'weekly', '1 month': 'monthly', '3 month': 'quarterly' },
  ...{ '6 month': 'semiannual', '12 month': 'yearly', '1 year': 'yearly', '24 month': 'biennial' },
  ...{ '2 year': 'biennial', '36 month': 'triennial', '3 year': 'triennial' },
}

interface Billed {
  readonly productId: string
  /** Null if it never renews; undefined if Lodge has no such cycle. */
  readonly cycle: Cycle | null | undefined
  readonly said: string
  readonly prices: readonly {
    readonly currency: string
    readonly amount: string
    readonly setupFee: string
  }[]
}

/** Reads the tables of Paymenter 1. */
export async function paymenter(files: ExportFiles): Promise<Source> {
  const billed = await billedBy(files)
  const properties = await propertiesBy(files)
  return {
    plans: () => plansOf(files, billed),
    async *customers() {
      for await (const row of files.rows('users', ['id', 'first_name', 'last_name', 'email']))
        yield {
          ...{ id: textOf(row.id), email: textOf(row.email), language: null },
          ...placeIn(properties.get(textOf(row.id)) ?? {}),
          fingerprint: textOf(row.created_at) || null,
          name: [textOf(row.first_name), textOf(row.last_name)].filter(Boolean).join(' '),
          refusal: textOf(row.role_id) === '' ? undefined : 'it is an administrator there',
        }
    },
    async *credits() {
      for await (const row of files.rows('credits', ['id', 'user_id', 'currency_code', 'amount']))
        yield {
          ...{ id: textOf(row.id), customerId: textOf(row.user_id), amount: textOf(row.amount) },
          currency: textOf(row.currency_code).toUpperCase(),
        }
    },
    async *subscriptions() {
      for await (const row of files.rows('services', [
        ...['id', 'user_id', 'product_id', 'plan_id', 'status', 'price', 'quantity', 'expires_at'],
      ]))
        yield subscriptionOf(row, billed.get(textOf(row.plan_id)))
    },
  }
}

const textOf = (cell: string | null | undefined): string => (cell ?? '').trim()

type Properties = Readonly<Record<string, string>>
const OF_PLACES = ['company_name', 'address', 'address2', 'city', 'state', 'zip', 'country']
/** Paymenter has no such field: hosts add a custom one, by one of these names. */
const TAX_NUMBERS = ['tax_id', 'tax_number', 'vat_id', 'vat_number', 'vat']

/** Custom properties of customers, such as their country; empty if the export has none. */
async function propertiesBy(files: ExportFiles): Promise<ReadonlyMap<string, Properties>> {
  const found = new Map<string, Record<string, string>>()
  for await (const row of files.rows('properties', ['model_type', 'model_id', 'key', 'value'])) {
    const [name, value] = [textOf(row.key), textOf(row.value)]
    if (!/User$/.test(textOf(row.model_type)) || value === '') continue
    if (!OF_PLACES.includes(name) && !TAX_NUMBERS.includes(name)) continue
    const customer = textOf(row.model_id)
    found.set(customer, { ...found.get(customer), [name]: value })
  }
  return found
}

function placeIn(own: Properties) {
  const { company_name: company, address, address2, city, state = '', zip = '', country = '' } = own
  const lines = [company, address, address2, [zip, city].filter(Boolean).join(' '), state, country]
  const taxNumber = TAX_NUMBERS.map((name) => own[name]).find((one) => one !== undefined) ?? ''
  return {
    address: lines.filter(Boolean).join('\n'),
    place: { country, postalCode: zip, region: state, taxNumber },
  }
}

async function billedBy(files: ExportFiles): Promise<ReadonlyMap<string, Billed>> {
  const prices = new Map<string, Billed['prices'][number][]>()
  for await (const row of files.rows('prices', ['plan_id', 'price', 'currency_code'])) {
    const plan = textOf(row.plan_id)
    const price = {
      ...{ currency: textOf(row.currency_code).toUpperCase(), amount: textOf(row.price) },
      setupFee: textOf(row.setup_fee) || '0',
    }
    prices.set(plan, [...(prices.get(plan) ?? []), price])
  }
  const found = new Map<string, Billed>()
  for await (const row of files.rows('plans', [
    ...['id', 'type', 'priceable_id', 'billing_period', 'billing_unit'],
  ])) {
    // Product options have plans as well.
    if (!/(^$|Product$)/.test(textOf(row.priceable_type))) continue
    const said = `${textOf(row.billing_period)} ${textOf(row.billing_unit)}`
    found.set(textOf(row.id), {
      ...{ productId: textOf(row.priceable_id), said, prices: prices.get(textOf(row.id)) ?? [] },
      cycle: textOf(row.type) === 'recurring' ? CYCLES[said] : null,
    })
  }
  return found
}

async function plansOf(
  files: ExportFiles,
  billed: ReadonlyMap<string, Billed>,
): Promise<SourcePlan[]> {
  const plans: SourcePlan[] = []
  for await (const row of files.rows('products', ['id', 'name'])) {
    const id = textOf(row.id)
    const own = [...billed.values()].filter(({ productId }) => productId === id)
    plans.push({
      ...{ id, name: textOf(row.name), description: withoutTags(textOf(row.description)) },
      fingerprint: textOf(row.created_at) || null,
      prices: own.flatMap(({ cycle, prices }) =>
        cycle ? prices.map((price) => ({ ...price, cycle })) : [],
      ),
    })
  }
  return plans
}

function subscriptionOf(row: Row, plan: Billed | undefined) {
  const status = textOf(row.status).toLowerCase()
  const [only, ...others] = plan?.prices ?? []
  const currency = textOf(row.currency_code).toUpperCase()
  const refusal =
    status !== 'active' && status !== 'suspended'
      ? `its status is ${status || 'unknown'}`
      : plan === undefined
        ? 'its plan is not in the export'
        : plan.cycle === undefined
          ? `nothing renews every ${plan.said} here`
          : undefined
  return {
    ...{ id: textOf(row.id), customerId: textOf(row.user_id), planId: textOf(row.product_id) },
    ...({ status: status === 'suspended' ? 'suspended' : 'active', refusal } as const),
    cycle: plan?.cycle ?? null,
    // Versions without the column use the currency of the price.
    currency: currency || (others.length === 0 ? (only?.currency ?? '') : ''),
    ...{ amount: textOf(row.price), quantity: Number(textOf(row.quantity) || '1') },
    ...{ dueAt: exactTime(row.expires_at), invoicedUntil: null },
  }
}
