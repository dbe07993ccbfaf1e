import { defineDomain } from '../../domain.ts'
import { sftpBudgets } from './budgets.ts'
import { sftpListeners, sftpNotices, sftpNoticeTypes } from './events.ts'
import { endConnections } from './live.ts'
import { sftpMailsInGerman } from './mails.de.ts'
import { sftpLetters, sftpMails } from './mails.ts'
import * as nodeRoutes from './node-routes.ts'
import { sftpActions } from './records.ts'
import * as routes from './routes.ts'

/** Access to servers' files for programs: SSH keys, passwords, and the SSH server. */
export const sftp = defineDomain({
  name: 'sftp',
  headings: [
    { name: 'Account', paths: ['/api/account'] },
    {
      name: 'SFTP',
      description: 'Reach the files of a server with a program of your own.',
      paths: ['/api/servers/{id}/sftp'],
    },
  ],
  routes: [routes, nodeRoutes],
  actions: sftpActions,
  budgets: sftpBudgets,
  notifications: sftpNotices,
  notificationTypes: sftpNoticeTypes,
  mails: sftpMails,
  mailTranslations: { de: sftpMailsInGerman },
  letters: sftpLetters,
  listeners: sftpListeners,
  live: endConnections,
})
