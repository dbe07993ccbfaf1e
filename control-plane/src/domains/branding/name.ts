import { type Branding, DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import { currentLook, keptByVersion } from './look.ts'
import { coloursOf } from './report.ts'

/** The name of the panel, also for authenticator apps and passkeys. */
export const nameOfPanel = async (db: Db): Promise<string> => (await currentLook(db)).branding.name

/** The colours of buttons in mails, `#rrggbb`. */
export function mailColours({ colors }: Pick<Branding, 'colors'>) {
  const { light, dark } = coloursOf({ colors })
  return {
    button: light.accent ?? '',
    buttonText: light['accent-fg'] ?? '',
    darkButton: dark.accent ?? '',
    darkButtonText: dark['accent-fg'] ?? '',
  }
}
const coloursOfMails = keptByVersion(mailColours)

/** What mails show of the look; the name is the panel's unless the mail settings have another. */
export async function lookOfMails(db: Db, sender: string) {
  const look = await currentLook(db)
  const { emailFooter, name } = look.branding
  return {
    name: sender === DEFAULT_BRANDING.name ? name : sender,
    ...coloursOfMails(look),
    footer: emailFooter,
  }
}
