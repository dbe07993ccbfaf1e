import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TAX_METHODS, type TaxQuote, type TaxRequest, wrongWithQuote } from './tax.ts'

const buyer = {
  ...{ id: '0b0f3c1e-6a53-4d0e-9a0b-0c7f3a9c2d11', country: 'DE' },
  ...{ postalCode: '', region: '', taxNumber: '' },
}
const asked = (amounts: readonly number[]): TaxRequest => ({
  ...{ currency: 'EUR', buyer },
  lines: amounts.map((amount, at) => ({
    ...{ id: `${at}`, kind: 'subscription', description: 'Plan', amount },
  })),
})
const answered = (taxes: readonly number[], currency = 'EUR'): TaxQuote => {
  const total = taxes.reduce((sum, tax) => sum + tax, 0)
  const named = { name: 'VAT', jurisdiction: null, percent: '19' }
  return {
    ...{ currency, total },
    lines: taxes.map((amount, at) => ({ id: `${at}`, amount })),
    taxes: total === 0 ? [] : [{ ...named, amount: total }],
  }
}
const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 })

test('a quote that answers each line and adds up is right, and any other total is not', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 100 }), fc.integer(), (all, percent, off) => {
      const quote = answered(all.map((amount) => Math.floor((amount * percent) / 100)))
      expect(wrongWithQuote(asked(all), quote)).toBeNull()
      if (off === 0) return
      expect(wrongWithQuote(asked(all), { ...quote, total: quote.total + off })).toContain('add up')
      const taxes = [{ name: 'VAT', jurisdiction: null, percent: null, amount: quote.total + off }]
      expect(wrongWithQuote(asked(all), { ...quote, taxes })).toContain('its taxes add up')
    }),
  )
})

test.each([
  ['another currency', answered([19], 'USD'), 'it is in USD instead of EUR'],
  ['no lines', { ...answered([19]), lines: [] }, 'not as many lines'],
  ['another line', { ...answered([19]), lines: [{ id: 'x', amount: 19 }] }, 'not there exactly'],
  ['more than the line costs', answered([101]), 'more than its amount'],
])('a quote with %s is wrong', (_what, quote, why) => {
  expect(wrongWithQuote(asked([100]), quote)).toContain(why)
})

test('a line that is answered twice instead of another is wrong', () => {
  const twice = { ...answered([10, 10]), lines: Array(2).fill({ id: '0', amount: 10 }) }
  expect(wrongWithQuote(asked([100, 100]), twice)).toContain('exactly once')
})

test('amounts are whole, not negative and not astronomic', () => {
  const { reply } = TAX_METHODS['tax.quote']
  expect(reply.safeParse(answered([19])).success).toBe(true)
  for (const bad of [-1, 1.5, 1e15, Number.NaN])
    expect(reply.safeParse(answered([bad])).success).toBe(false)
})
