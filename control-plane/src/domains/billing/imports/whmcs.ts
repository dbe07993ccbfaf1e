import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { exactTime, unescaped, withoutTags } from './exact.ts'
import type { ExportFiles, Row } from './export-files.ts'
import { ImportRefused } from './refused.ts'
import type { Source, SourcePlan, SourceSubscription } from './source.ts'

/** The column of a price, the column of its setup fee, and the name of the cycle in a service. */
const CYCLES: readonly (readonly [column: string, fee: string, named: string, cycle: Cycle])[] = [
  ['monthly', 'msetupfee', 'Monthly', 'monthly'],
  ['quarterly', 'qsetupfee', 'Quarterly', 'quarterly'],
  ['semiannually', 'ssetupfee', 'Semi-Annually', 'semiannual'],
  ['annually', 'asetupfee', 'Annually', 'yearly'],
  ['biennially', 'bsetupfee', 'Biennially', 'biennial'],
  ['triennially', 'tsetupfee', 'Triennially', 'triennial'],
]
const BY_NAME = new Map(CYCLES.map(([, , named, cycle]) => [named.toLowerCase(), cycle]))
const WITHOUT_RENEWAL = ['free account', 'free', 'one time', 'onetime']
const NOT_OFFERED = /^-1(\.0+)?$/
const LANGUAGES: Readonly<Record<string, Language>> = { german: 'de', english: 'en' }

/** Reads the tables of WHMCS, which stores text as HTML with entities. */
export async function whmcs(files: ExportFiles): Promise<Source> {
  const currencies = new Map<string, string>()
  for await (const row of files.rows('tblcurrencies', ['id', 'code']))
    currencies.set(textOf(row.id), textOf(row.code).toUpperCase())
  if (currencies.size === 0)
    throw new ImportRefused('tblcurrencies has no rows: export it with the other tables')
  const currencyOf = (id: string): string => currencies.get(id) ?? `(currency ${id})`
  const currencyOfCustomer = new Map<string, string>()
  return {
    plans: () => plansOf(files, currencyOf),
    async *customers() {
      for await (const row of files.rows('tblclients', [
        ...['id', 'firstname', 'lastname', 'email', 'currency', 'credit', 'status'],
      ])) {
        const id = textOf(row.id)
        currencyOfCustomer.set(id, currencyOf(textOf(row.currency)))
        const name = line(row.firstname, row.lastname)
        yield {
          ...{ id, email: unescaped(textOf(row.email)) },
          fingerprint: textOf(row.uuid) || null,
          name: name === '' ? line(row.companyname) : name,
          address: addressOf(row, name),
          place: {
            ...{ country: line(row.country), postalCode: line(row.postcode) },
            ...{ region: line(row.state), taxNumber: line(row.tax_id) },
          },
          language: LANGUAGES[textOf(row.language).toLowerCase()] ?? null,
          refusal:
            textOf(row.status).toLowerCase() === 'closed' ? 'its account is closed' : undefined,
        }
      }
    },
    async *credits() {
      for await (const row of files.rows('tblclients', ['id', 'currency', 'credit']))
        yield {
          ...{ id: textOf(row.id), customerId: textOf(row.id), amount: textOf(row.credit) },
          currency: currencyOf(textOf(row.currency)),
        }
    },
    async *subscriptions() {
      for await (const row of files.rows('tblhosting', [
        ...['id', 'userid', 'packageid', 'nextduedate', 'billingcycle', 'amount', 'domainstatus'],
      ])) {
        const customerId = textOf(row.userid)
        const currency = currencyOfCustomer.get(customerId) ?? ''
        yield subscriptionOf(row, customerId, currency)
      }
    },
  }
}

const textOf = (cell: string | null | undefined): string => (cell ?? '').trim()
const line = (...cells: (string | null | undefined)[]): string =>
  unescaped(cells.map(textOf).filter(Boolean).join(' '))

function addressOf(row: Row, name: string): string {
  const company = line(row.companyname)
  const lines = [
    name === '' ? '' : company,
    ...[line(row.address1), line(row.address2), line(row.postcode, row.city)],
    ...[line(row.state), line(row.country)],
  ]
  return lines.filter(Boolean).join('\n')
}

async function plansOf(
  files: ExportFiles,
  currencyOf: (id: string) => string,
): Promise<SourcePlan[]> {
  const prices = new Map<string, SourcePlan['prices'][number][]>()
  for await (const row of files.rows('tblpricing', ['type', 'currency', 'relid', 'monthly'])) {
    if (textOf(row.type) !== 'product') continue
    const found = CYCLES.flatMap(([column, fee, , cycle]) => {
      const amount = textOf(row[column])
      if (amount === '' || NOT_OFFERED.test(amount)) return []
      const setupFee = textOf(row[fee]) || '0'
      return [{ cycle, amount, setupFee, currency: currencyOf(textOf(row.currency)) }]
    })
    const product = textOf(row.relid)
    prices.set(product, [...(prices.get(product) ?? []), ...found])
  }
  const plans: SourcePlan[] = []
  for await (const row of files.rows('tblproducts', ['id', 'name', 'paytype'])) {
    const id = textOf(row.id)
    plans.push({
      ...{ id, name: line(row.name), fingerprint: textOf(row.created_at) || null },
      description: withoutTags(unescaped(textOf(row.description))),
      // One-time prices are in the column of a month.
      prices: textOf(row.paytype) === 'recurring' ? (prices.get(id) ?? []) : [],
    })
  }
  return plans
}

function subscriptionOf(row: Row, customerId: string, currency: string): SourceSubscription {
  const status = textOf(row.domainstatus).toLowerCase()
  const named = textOf(row.billingcycle).toLowerCase()
  const cycle = BY_NAME.get(named) ?? null
  const refusal =
    status !== 'active' && status !== 'suspended'
      ? `its status is ${status || 'unknown'}`
      : cycle === null && !WITHOUT_RENEWAL.includes(named)
        ? `its billing cycle is ${named || 'unknown'}`
        : undefined
  return {
    ...{ id: textOf(row.id), customerId, planId: textOf(row.packageid), cycle, currency },
    ...{ status: status === 'suspended' ? 'suspended' : 'active', refusal },
    ...{ amount: textOf(row.amount), quantity: 1, dueAt: exactTime(row.nextduedate) },
    // It moves past the due date as soon as the invoice for that date is issued.
    invoicedUntil: exactTime(row.nextinvoicedate),
  }
}
