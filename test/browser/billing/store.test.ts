import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import { TOLD_PROVIDER } from '../../api/billing/told-provider.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
const key = newKey()
beforeAll(async () => {
  lodge = await startPanel({ LODGE_PLUGIN_KEYS: publicKeyOf(key) })
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (label: string | RegExp) => page.getByLabel(label, { exact: true })

test('a plan is viewed, bought, paid, changed and cancelled', async () => {
  const price = { cycle: 'monthly', amount: 999, currency: 'EUR' } as const
  const terms = { kind: 'account', visibility: 'public' } as const
  for (const [name, amount] of [
    ['Small', 999],
    ['Large', 2999],
  ] as const)
    await admin.must('POST /api/plans', {
      body: {
        ...{ ...terms, name, features: ['Backups every night', 'Help within a day'] },
        description: 'For a few friends',
        limits: { maxServers: amount === 999 ? 1 : 5 },
        prices: [
          { ...price, amount, setupFee: 500 },
          { ...price, cycle: 'yearly', amount: amount * 10 },
        ],
        stock: 5,
      },
    })
  const settings = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', {
    body: { ...settings, instructions: 'Transfer to\nDE00 1234 5678' },
  })

  await beOn(browser, lodge.origin, undefined)
  await page.goto('/store')
  await page.getByRole('link', { name: 'Sign in to buy' }).first().waitFor()
  const { id, email } = await lodge.customer()
  const customer = await lodge.session(id, email)
  await beOn(browser, lodge.origin, customer)
  await page.goto('/store')
  await button('Buy Small').click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Buy Small' }).click()
  await page.waitForURL('**/billing')
  await page.getByText('Waits for payment').waitFor()
  await button('Pay').click()
  await page.getByText('DE00 1234 5678').waitFor()

  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/invoices')
  await button(/^Actions for INV-/).click()
  await page.getByRole('menuitem', { name: 'Record payment…' }).click()
  await expect.poll(() => field('Amount that arrived (EUR)').inputValue()).toBe('14.99')
  await button('Record payment').click()
  await page.getByRole('cell', { name: 'Paid', exact: true }).waitFor()
  await button(/^Actions for INV-/).click()
  await page.getByRole('menuitem', { name: 'Refund…' }).click()
  await field('Amount (EUR)').fill('5')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
  await page.getByRole('cell', { name: 'Partly refunded', exact: true }).waitFor()
  await button('Billing settings').click()
  await field('Days overdue until suspension').fill('10')
  // What a colleague saves meanwhile stays.
  const before = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', { body: { ...before, checkoutDays: 9 } })
  await button('Save settings').click()
  await page.getByText('Billing settings saved').waitFor()
  expect(await admin.must('GET /api/billing/settings')).toEqual({
    ...{ ...before, checkoutDays: 9, graceDays: 10 },
  })
  await page.getByLabel('Search by number or customer').fill('status:overdue')
  await page.getByText('Nothing matches “status:overdue”').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('status:overdue')
  await button('Clear filters').click()
  await page.getByRole('cell', { name: 'Partly refunded', exact: true }).waitFor()
  await page.goto(`/admin/subscribers?q=${email}`)
  await page.getByRole('cell', { name: 'Active', exact: true }).waitFor()
  await button(`Actions for ${email}`).click()
  await page.getByRole('menuitem', { name: 'Change plan…' }).click()
  await page.getByRole('combobox', { name: 'New plan' }).click()
  await page.getByRole('option', { name: 'Large: €29.99 monthly' }).click()
  await page.getByText('Due now').waitFor()
  await page.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'With the next period' }).click()
  await page.getByText(/^The change happens on /).waitFor()

  await beOn(browser, lodge.origin, customer)
  await page.goto('/billing')
  await button('Address on invoices…').click()
  await field('Your address').fill('1 Long Road\nSpringfield')
  await button('Save address').click()
  await page.getByText('Address saved').waitFor()
  await button(/^INV-/).click()
  await page.getByRole('link', { name: /^INV-CN-/ }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/)
  await page.keyboard.press('Escape')
  await button('Change plan').click()
  await page.getByRole('combobox', { name: 'New plan' }).click()
  await page.getByRole('option', { name: 'Large: €29.99 monthly' }).click()
  await page.getByText('Due now').waitFor()
  await page.getByText('Servers: 1 → 5').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click()
  await page.getByText('Changes to Large once its invoice is paid.').waitFor()
  await button('Cancel subscription').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText(/^Ends /).waitFor()
  await button('Resume subscription').click()
  await page.getByText('Subscription resumed').waitFor()
  await expect.poll(() => page.getByText(/^Ends /).count()).toBe(0)

  // The host sees all of it where they look after the customer, and acts there.
  const { items } = await admin.must('GET /api/plans')
  const large = items.find(({ name }) => name === 'Large')?.id ?? ''
  await customer.must('POST /api/store/checkout', { body: { planId: large, cycle: 'monthly' } })
  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/customers/${id}`)
  const card = page.getByRole('region', { name: 'Subscriptions' })
  await card.getByRole('row', { name: /Small Active €9\.99.* Next payment .* Nothing/ }).waitFor()
  await card.getByRole('row', { name: /Large Waits .*€34\.99, due/ }).waitFor()
  await expectReadableInTurn(browser, 'customer-subscriptions')
  await page.setViewportSize({ width: 1280, height: 800 })
  await card.getByRole('button', { name: 'Actions for Small' }).click()
  await page.getByRole('menuitem', { name: 'Suspend…' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await card.getByRole('link', { name: 'All in Subscribers' }).click()
  await page.getByRole('cell', { name: 'Active', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe(email)
  expect(browser.faults).toEqual([])
})

test('a purchase is voided, and a card payment is refunded in part, never too much, and in full', async () => {
  await addProvider(admin, 'cards', TOLD_PROVIDER, key, { name: 'Cards' })
  const name = `Refunded ${Date.now()}`
  const prices = [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }] as const
  const plan = await admin.must('POST /api/plans', {
    body: { name, kind: 'account', visibility: 'public', prices: [...prices] },
  })
  const { id, email } = await lodge.customer()
  const customer = await lodge.session(id, email)
  const buy = async () => {
    const body = { planId: plan.id, cycle: 'monthly' } as const
    const { invoice } = await customer.must('POST /api/store/checkout', { body })
    return invoice ?? { id: '', number: '' }
  }
  const [lost, paid] = [await buy(), await buy()]
  await lodge.anonymous().send({
    ...{ method: 'POST', url: '/api/billing/webhooks/cards' },
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ref: `card-${paid.id}`, amount: 1000 }),
  })
  const ownInvoices = async () => (await customer.must('GET /api/billing')).invoices
  await expect
    .poll(async () => (await ownInvoices()).map(({ status }) => status))
    .toEqual(['paid', 'open'])

  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/invoices')
  const dialog = page.getByRole('dialog')
  const rowOf = ({ number }: { number: string }) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: number, exact: true }) })
  const choose = async ({ number }: { number: string }, entry: string) => {
    await button(`Actions for ${number}`).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose(lost, 'Void invoice…')
  await dialog.getByRole('button', { name: 'Void invoice' }).click()
  await rowOf(lost).getByText('Void', { exact: true }).waitFor()
  expect(await button(`Actions for ${lost.number}`).count()).toBe(0)

  await rowOf(paid).getByText('Paid', { exact: true }).waitFor()
  await choose(paid, 'Refund…')
  await field('Amount (EUR)').fill('nothing')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('Enter an amount like 9.99').waitFor()
  await field('Amount (EUR)').fill('99')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await page.getByText(/At most 10\.00 EUR/).waitFor()
  await field('Amount (EUR)').fill('4')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await rowOf(paid).getByText('Partly refunded', { exact: true }).waitFor()
  await choose(paid, 'Refund…')
  await expect.poll(() => field('Amount (EUR)').inputValue()).toBe('6.00')
  await page.getByRole('combobox', { name: 'The subscription' }).click()
  await page.getByRole('option', { name: 'Ends now' }).click()
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await rowOf(paid).getByText('Refunded', { exact: true }).waitFor()
  expect(await button(`Actions for ${paid.number}`).count()).toBe(0)
  const { subscriptions, invoices } = await customer.must('GET /api/billing')
  expect(subscriptions.map(({ status }) => status)).toEqual(['canceled', 'expired'])
  const refunds = invoices.flatMap(({ refunds }) => refunds.map(({ way, amount }) => [way, amount]))
  expect(refunds).toEqual([
    ['provider', 400],
    ['provider', 600],
  ])
  expect(browser.faults).toEqual([])
})

test('a price that changed since it was shown is refused and shown, and agreed to by the next click', async () => {
  const name = `Raised ${Date.now()}`
  const other = `Other ${Date.now()}`
  const pricesOf = (amount: number) => [{ cycle: 'monthly' as const, amount, currency: 'EUR' }]
  const offered = (name: string, amount: number) =>
    admin.must('POST /api/plans', {
      body: { name, kind: 'account', visibility: 'public', prices: pricesOf(amount) },
    })
  const [plan, next] = [await offered(name, 1000), await offered(other, 2000)]
  const raise = (id: string, amount: number) =>
    admin.must('PUT /api/plans/{id}/prices', {
      ...{ params: { id }, body: { prices: pricesOf(amount) } },
    })
  const { id, email } = await lodge.customer()
  const customer = await lodge.session(id, email)
  await beOn(browser, lodge.origin, customer)
  await page.goto('/store')
  await button(`Buy ${name}`).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('€10.00', { exact: true }).waitFor()
  await raise(plan.id, 1200)
  const buy = dialog.getByRole('button', { name: `Buy ${name}` })
  await buy.click()
  await dialog.getByText(/^It costs something else by now/).waitFor()
  await dialog.getByText('€12.00', { exact: true }).waitFor()
  await buy.click()
  await page.waitForURL('**/billing')
  await page.getByText('Waits for payment').waitFor()
  const [invoice] = (await customer.must('GET /api/billing')).invoices
  expect(invoice).toMatchObject({ total: 1200 })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice?.id ?? '' },
    body: { amount: 1200, reference: 'Transfer' },
  })

  /** Chooses the other plan, whose price rises before it is agreed to. */
  const refused = async (to: number) => {
    const choice = page.getByRole('combobox', { name: 'New plan' })
    await choice.click()
    await page.getByRole('option', { name: new RegExp(`^${other}`) }).click()
    await dialog.getByText('Due now').waitFor()
    await raise(next.id, to)
    await dialog.getByRole('button', { name: 'Change plan' }).click()
    await dialog.getByText(/^The price may have changed since/).waitFor()
    const shown = `€${to / 100}.00`
    await expect.poll(() => choice.inputValue()).toBe(`${other}: ${shown} monthly`)
    await dialog.getByText(shown).first().waitFor()
  }
  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/subscribers?q=${email}`)
  await button(`Actions for ${email}`).click()
  await page.getByRole('menuitem', { name: 'Change plan…' }).click()
  await refused(2200)
  await beOn(browser, lodge.origin, customer)
  await page.goto('/billing')
  await button('Change plan').click()
  await refused(2400)
  await dialog.getByRole('button', { name: 'Change plan' }).click()
  await page.getByText(`Changes to ${other} once its invoice is paid.`).waitFor()
  expect(browser.faults).toEqual([])
})

/** Its page, on which a payment method is saved, redirects back immediately. */
const SAVER = `
export default () => ({
  payment: {
    ensureCustomer: ({ customer }) => ({ ref: customer.id }),
    saveMethod: ({ successUrl }) => ({ url: successUrl }),
    savedMethod: () => ({ method: { label: 'Visa •••• 4242', expires: null } }),
  },
})`

test('a trial begins once a payment method is saved', async () => {
  const about = { name: 'Saver', payment: { abilities: ['autoCharge', 'saveMethod'] } } as const
  await addProvider(admin, 'saver', SAVER, key, about as never)
  const name = `Tried ${Date.now()}`
  await admin.must('POST /api/plans', {
    body: {
      ...{ name, kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR', trialDays: 14 }],
    },
  })
  const { id, email } = await lodge.customer()
  await beOn(browser, lodge.origin, await lodge.session(id, email))
  await page.goto('/store')
  await button(`Buy ${name}`).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^The trial begins once you have saved a payment method/).waitFor()
  await dialog.getByRole('button', { name: `Buy ${name}` }).click()
  await page.waitForURL('**/billing')
  // As if they came back without having saved one.
  await page.goto('/billing?charge=saver')
  await page.getByText(/^No payment method is saved there yet/).waitFor()
  await button('Save a payment method at Saver').click()
  await page.getByText(/^Free until /).waitFor()
  await page.getByText('Visa •••• 4242').waitFor()
  expect(browser.faults).toEqual([])
})

/** A tax of a fifth, for customers whose country is known. */
const TAXMAN = `
export default () => ({
  tax: {
    quote({ currency, lines, buyer }) {
      const taxed = lines.map(({ id, amount }) => ({ id, amount: Math.round(amount / 5) }))
      const total = taxed.reduce((sum, { amount }) => sum + amount, 0)
      return { currency, lines: taxed, total, taxes: [{ name: 'VAT', jurisdiction: buyer.country, percent: '20', amount: total }] }
    },
  },
})`

test('the tax that a plugin calculates is chosen, and shown before a purchase', async () => {
  const about = { name: 'Taxman', kinds: ['tax'], permissions: ['billing.tax'] } as const
  await addProvider(admin, 'taxman', TAXMAN, key, about as never)
  const name = `Taxed ${Date.now()}`
  const prices = [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }] as const
  await admin.must('POST /api/plans', {
    body: { name, kind: 'account', visibility: 'public', prices: [...prices] },
  })
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/invoices')
  await button('Billing settings').click()
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Tax', 'Calculated by a plugin')
  await choose('Plugin', 'Taxman')
  await button('Save settings').click()
  await page.getByText('Billing settings saved').waitFor()

  const { id, email } = await lodge.customer()
  await beOn(browser, lodge.origin, await lodge.session(id, email))
  await page.goto('/store')
  await button(`Buy ${name}`).click()
  await choose('Country', 'Austria')
  await button('Show the price').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('VAT 20% (AT)').waitFor()
  await dialog.getByText('€12.00').waitFor()
  await dialog.getByRole('button', { name: `Buy ${name}` }).click()
  await page.waitForURL('**/billing')
  await page.getByText('€12.00').first().waitFor()
})
