import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportUncheckedMails } from './tables.ts'

/** Notes that a mail came whose sender could not be checked. @returns what is known of it so far */
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

/** Forgets those that no mail server still tries to deliver. */
export async function deleteOldUnchecked(db: Db): Promise<number> {
  const rows = await db
    .delete(supportUncheckedMails)
    .where(sql`${supportUncheckedMails.firstAt} < now() - interval '14 days'`)
    .returning({ mailId: supportUncheckedMails.mailId })
  return rows.length
}
