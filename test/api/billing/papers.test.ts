import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { textsOf } from '../../support/pdf-text.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function invoiced(address: string, plan: string) {
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      ...{ name: plan, kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 999, currency: 'EUR', setupFee: 1 }],
    },
  })
  const { id, email } = await lodge.customer()
  const person = await lodge.session(id, email)
  await person.must('PUT /api/billing/address', { body: { address } })
  const { invoice } = await person.must('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly' },
  })
  if (!invoice) throw new Error('nothing was asked for')
  return { person, invoice, email }
}
const printed = (caller: Caller, id: string) =>
  caller.send({ method: 'GET', url: `/api/billing/invoices/${id}/pdf` })

test('an invoice is printed with its addresses, lines, tax and total, for its customer and the host', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  const tax = { name: 'VAT', basisPoints: 1900 }
  const sender = 'Grönland & Söhne <GmbH>\nЛенина 5\nŁódź'
  await admin.must('PUT /api/billing/settings', { body: { ...settings, tax, sender } })
  const name = `Plan ${randomUUID()}`
  const { person, invoice, email } = await invoiced(
    'Ada\nNguyễn Huệ 1 \u{1f600} 東京\nŽilina',
    name,
  )
  const changed = { ...settings, sender: 'Somebody else' }
  await admin.must('PUT /api/billing/settings', { body: changed })
  const mine = await printed(person, invoice.id)
  expect(mine.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringContaining(`attachment; filename="${invoice.number}.pdf"`),
  })
  const text = textsOf(mine.rawPayload).join('')
  for (const part of [
    ...['Invoice', invoice.number, 'Grönland & Söhne <GmbH>', 'Ленина 5', 'Łódź'],
    ...['Nguyễn Huệ 1 ? ??', 'Žilina', email, name, '9.99 EUR', 'Setup', '0.01 EUR'],
    ...['Net10.00 EUR', 'VAT 19%1.90 EUR', 'Total11.90 EUR', 'Left to pay11.90 EUR'],
  ])
    expect.soft(text).toContain(part)
  const theirs = await printed(admin, invoice.id)
  expect(theirs.rawPayload.equals(mine.rawPayload)).toBe(true)
  const stranger = await invoiced('', `Plan ${randomUUID()}`)
  expect((await printed(stranger.person, invoice.id)).statusCode).toBe(404)
})

test('unusual names are printed too, and lines that are too long are wrapped', async () => {
  const long = 'W'.repeat(80)
  const { person, invoice } = await invoiced(
    `${'x'.repeat(200)}\n(\\) Tj ET endstream\nשלום \u0301`,
    long,
  )
  const { statusCode, rawPayload } = await printed(person, invoice.id)
  expect(statusCode).toBe(200)
  const text = textsOf(rawPayload).join('')
  expect(text).toContain('(\\) Tj ET endstream')
  expect(text).toContain('????')
  expect(text).toContain(long)
  const hidden = await person.call('PUT /api/billing/address', { body: { address: 'a\u202eb' } })
  expect(hidden).toMatchObject({ status: 400 })
  const tall = await person.call('PUT /api/billing/address', {
    body: { address: `${'a\n'.repeat(9)}b` },
  })
  expect(tall).toMatchObject({ status: 400 })
})

test('an invoice says how it is paid until it is', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  const instructions = 'Transfer it to\n\nDE00 1234 5678 9012'
  await admin.must('PUT /api/billing/settings', { body: { ...settings, instructions } })
  const { person, invoice } = await invoiced('', `Plan ${randomUUID()}`)
  const textOf = async () => textsOf((await printed(person, invoice.id)).rawPayload).join('')
  expect(await textOf()).toContain('Transfer it toDE00 1234 5678 9012Name')
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice.id },
    body: { amount: invoice.amountDue, reference: '' },
  })
  expect(await textOf()).not.toContain('DE00')
  await admin.must('PUT /api/billing/settings', { body: settings })
})
