import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import { currentLook } from './look.ts'

/** The name of the panel, for authenticators and passkeys. */
export const nameOfPanel = async (db: Db): Promise<string> => (await currentLook(db)).branding.name

/** What mails show of the look; the name is the panel's unless the mail settings have another. */
export async function lookOfMails(db: Db, sender: string) {
  const { branding } = await currentLook(db)
  const { colors, emailFooter, name } = branding
  return {
    name: sender === DEFAULT_BRANDING.name ? name : sender,
    accent: colors.accent,
    footer: emailFooter,
  }
}
