import { eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { billingAddresses } from './tables.ts'

/** Where a customer wants invoices addressed to; empty if they did not say. */
export async function addressOf(db: Db, userId: string): Promise<string> {
  const [row] = await db
    .select({ address: billingAddresses.address })
    .from(billingAddresses)
    .where(eq(billingAddresses.userId, userId))
  return row?.address ?? ''
}

export async function storeAddress(db: Db, userId: string, address: string): Promise<void> {
  await db
    .insert(billingAddresses)
    .values({ userId, address })
    .onConflictDoUpdate({ target: billingAddresses.userId, set: { address } })
}
