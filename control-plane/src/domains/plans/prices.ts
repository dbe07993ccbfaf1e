import { randomUUIDv7 } from 'node:crypto'
import type { Price, PriceInput } from '@lodge/shared/billing/prices.ts'
import type { Ctx } from '../../context.ts'
import * as prices from './price-store.ts'

export type Terms = Omit<prices.PriceRow, 'id' | 'planId' | 'createdAt' | 'retiredAt'>

/** What makes two prices equal: their terms, without ids. */
export const termsOf = ({ trialDays = 0, setupFee = 0, ...given }: PriceInput): Terms => ({
  ...given,
  trialDays,
  setupFee,
})

/** Adds prices to a new plan. */
export const addPrices = (ctx: Ctx, planId: string, given: readonly PriceInput[]): Promise<void> =>
  prices.insertPrices(
    ctx.db,
    given.map((one) => ({ id: randomUUIDv7(), planId, createdAt: ctx.now, ...termsOf(one) })),
  )

/** A price for the API. */
export const showPrice = ({ planId: _, retiredAt: __, ...row }: prices.PriceRow): Price => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
})
