import { defineDomain } from '../../domain.ts'
import { teamMailsInGerman } from './mails.de.ts'
import { teamLetters, teamMails } from './mails.ts'
import * as routes from './routes.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'team.invited': {
      userId: string
      email: string
      token: string
      expiresAt: Date
      inviter: string
    }
    'team.transfer_requested': {
      userId: string
      email: string
      token: string
      expiresAt: Date
      inviter: string
    }
  }
}

/** The administrators and their permissions. */
export const team = defineDomain({
  name: 'team',
  headings: [{ name: 'Administration', paths: ['/api/team'] }],
  routes: [routes],
  mails: teamMails,
  mailTranslations: { de: teamMailsInGerman },
  letters: teamLetters,
})
