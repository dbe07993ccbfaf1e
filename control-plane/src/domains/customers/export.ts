import type { Customer } from '@lodge/shared/accounts.ts'
import type { CsvColumns } from '@lodge/shared/csv.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { CSV_PAGE, pagesAsCsv } from '../../http/csv.ts'
import { type CustomersWanted, pageOfCustomers } from './customers.ts'

const COLUMNS: CsvColumns<Customer> = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name],
  ['state', ({ state }) => state],
  ['servers', ({ servers }) => servers],
  ['created_at', ({ createdAt }) => createdAt],
]

/** All customers of a filter as CSV. */
export const customersAsCsv = (
  ctx: Ctx,
  wanted: z.output<typeof CustomersWanted>,
): AsyncGenerator<string> =>
  pagesAsCsv(COLUMNS, (after) => pageOfCustomers(ctx, { ...wanted, after, limit: CSV_PAGE }))
