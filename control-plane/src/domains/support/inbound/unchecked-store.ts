import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportUncheckedMails } from './tables.ts'

/**
 * Records an attempt to deliver a mail whose sender could not be checked. @returns the earlier
 * attempts
 */
export async function noteUnchecked(
  db: Db,
  mailId: string,
  at: Date,
): Promise<{ attempts: number; firstAt: Date }> {
  const [row] = await db
    .insert(supportUncheckedMails)
    .values({ mailId, firstAt: at })
    .onConflictDoUpdate({
      target: supportUncheckedMails.mailId,
      set: { attempts: sql`${supportUncheckedMails.attempts} + 1` },
    })
    .returning({
      attempts: supportUncheckedMails.attempts,
      firstAt: supportUncheckedMails.firstAt,
    })
  return row ?? { attempts: 1, firstAt: at }
}

/** Deletes mails that no server retries any more. */
export async function deleteOldUnchecked(db: Db): Promise<number> {
  const rows = await db
    .delete(supportUncheckedMails)
    .where(sql`${supportUncheckedMails.firstAt} < now() - interval '14 days'`)
    .returning({ mailId: supportUncheckedMails.mailId })
  return rows.length
}
