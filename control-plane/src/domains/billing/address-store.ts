import type { BillingAddress } from '@lodge/shared/billing/billing.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { billingAddresses } from './tables.ts'

/** Fields that the customer left out are empty strings. */
export type BillingAddressRow = BillingAddress

const NOTHING: BillingAddressRow = {
  ...{ address: '', country: '', postalCode: '', region: '', taxNumber: '' },
}

/** The billing address of a customer, which also decides where they are taxed. */
export async function addressOf(db: Db, userId: string): Promise<BillingAddressRow> {
  const [row] = await db.select().from(billingAddresses).where(eq(billingAddresses.userId, userId))
  if (!row) return NOTHING
  const { userId: _, ...address } = row
  return address
}

export async function storeAddress(
  db: Db,
  userId: string,
  change: Partial<BillingAddressRow>,
): Promise<void> {
  await db
    .insert(billingAddresses)
    .values({ userId, ...NOTHING, ...change })
    .onConflictDoUpdate({ target: billingAddresses.userId, set: change })
}
