import { randomUUID } from 'node:crypto'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { textsOf } from '../../support/pdf-text.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
beforeEach(async () => {
  const settings = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', {
    body: { ...settings, tax: { name: 'MwSt.', basisPoints: 810 }, sender: '' },
  })
})

const speak = (caller: Caller, language: 'de' | 'en' | null) =>
  caller.must('PUT /api/auth/preferences', { body: { mode: 'system', language } })

async function planned(amount: number): Promise<{ id: string; name: string }> {
  const name = `Plan ${randomUUID()}`
  const { id } = await admin.must('POST /api/plans', {
    body: {
      ...{ name, kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount, currency: 'EUR', setupFee: 150 }],
    },
  })
  return { id, name }
}

/** The invoice of a new customer whose browser sends this `Accept-Language`. */
async function bought(caller: Caller, browser = 'en') {
  const plan = await planned(123_450)
  const response = await caller.send({
    ...{ method: 'POST', url: '/api/store/checkout', headers: { 'accept-language': browser } },
    payload: { planId: plan.id, cycle: 'monthly' },
  })
  expect(response.statusCode).toBe(201)
  return { ...response.json(), plan: plan.name }
}
const customer = async () => {
  const { id, email } = await lodge.customer()
  return lodge.session(id, email)
}
const printed = async (caller: Caller, id: string, of = 'invoices') => {
  const url = `/api/billing/${of}/${id}/pdf`
  const { rawPayload, statusCode } = await caller.send({ method: 'GET', url })
  expect(statusCode).toBe(200)
  return { bytes: rawPayload, text: textsOf(rawPayload).join('') }
}

test('an invoice is in its customer’s language, with dates and amounts in that language’s format', async () => {
  const person = await customer()
  await speak(person, 'de')
  const { invoice, plan } = await bought(person)
  const { bytes, text } = await printed(person, invoice.id)
  for (const part of [
    ...['Rechnung', invoice.number, 'Ausgestellt', 'Fällig', 'Beschreibung', 'Betrag', plan],
    ...['1.234,50 EUR', 'Einrichtung', 'MwSt. 8,1 %', 'Gesamt1.336,12 EUR'],
    `Geben Sie bei Ihrer Zahlung ${invoice.number} als Verwendungszweck an.`,
  ])
    expect.soft(text).toContain(part)
  expect(text).toMatch(/\d\. (Januar|Februar|März|April|Mai|Ju[nl]i|August|[A-Z]\w+ber) \d{4}/)
  expect(text).not.toMatch(/Invoice|Issued|Due|Setup|Net\d|Total|Left to pay|payment/)
  expect(bytes.toString('latin1')).toContain('/Lang (de)')
})

test('an issued invoice stays as it is, whatever its customer, the host or the panel are called later', async () => {
  const person = await customer()
  await speak(person, 'de')
  const { invoice } = await bought(person)
  const before = await printed(person, invoice.id)
  await speak(person, 'en')
  await admin.must('PUT /api/branding', {
    body: { branding: { ...DEFAULT_BRANDING, name: 'Renamed host' } },
  })
  try {
    for (const reader of [person, admin]) {
      const after = await printed(reader, invoice.id)
      expect(after.bytes.equals(before.bytes)).toBe(true)
    }
  } finally {
    await admin.must('PUT /api/branding', { body: { branding: DEFAULT_BRANDING } })
  }
  // The next one uses the current names.
  const next = await bought(person)
  const { text } = await printed(person, next.invoice.id)
  expect(text).toContain('Total1336.12 EUR')
  expect(text).toContain('MwSt. 8.1%')
})

test('a customer without a chosen language gets the browser’s language of the purchase on every later invoice', async () => {
  const person = await customer()
  const { id, invoice } = await bought(person, 'de-CH, en;q=0.5')
  expect((await printed(person, invoice.id)).text).toContain('Rechnung')
  const params = { id: invoice.id }
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params,
    body: { amount: invoice.amountDue, reference: '' },
  })
  const other = await planned(246_900)
  const preview = await person.must('GET /api/billing/preview-change', {
    query: { planId: other.id, cycle: 'monthly', subscriptionId: id },
  })
  expect(preview.lines.map(({ description }) => description)).toEqual([
    'Rest des bisherigen Tarifs',
    other.name,
    'MwSt. 8,1 %',
  ])
})

test('its credit notes are in the same language', async () => {
  const person = await customer()
  await speak(person, 'de')
  const { invoice, plan } = await bought(person)
  const params = { id: invoice.id }
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params,
    body: { amount: invoice.amountDue, reference: '' },
  })
  await speak(person, 'en')
  const { refunds } = await admin.must('POST /api/billing/invoices/{id}/refund', {
    params,
    body: { amount: 100_000, subscription: 'keep', reason: '', way: 'host' },
  })
  const { text } = await printed(person, refunds[0]?.id ?? '', 'credit-notes')
  for (const part of [
    ...['Rechnungskorrektur', 'Zur Rechnung', invoice.number, `Erstattung: ${plan}`],
    ...['Gesamt-1.000,00 EUR', 'MwSt. 8,1 %', 'Der Betrag wurde Ihnen zurückgezahlt.'],
  ])
    expect.soft(text).toContain(part)
  expect((await printed(person, invoice.id)).text).toContain('Diese Rechnung ist bezahlt.')
})

test('an invoice from before languages were stored stays English', async () => {
  const person = await customer()
  await speak(person, 'de')
  const { invoice } = await bought(person)
  await lodge.database.pool.query('update invoices set locale = null where id = $1', [invoice.id])
  expect((await printed(person, invoice.id)).text).toContain('Total1336.12 EUR')
})
