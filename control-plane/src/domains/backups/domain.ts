import { answer } from '../../answers.ts'
import { defineDomain } from '../../domain.ts'
import { nodeRemoval } from '../nodes/index.ts'
import { backupAction } from '../servers/index.ts'
import { actOnBackups } from './actions.ts'
import { backupBudgets } from './budgets.ts'
import { createBackupSaga } from './create-saga.ts'
import { deleteBackupSaga } from './delete.ts'
import { backupNotices, backupNoticeTypes } from './events.ts'
import { announceBackups } from './live.ts'
import { backupMailsInGerman } from './mails.de.ts'
import { backupLetters, backupMails } from './mails.ts'
import * as nodeRoutes from './node-routes.ts'
import { backupPeriodicTasks } from './periodic-tasks.ts'
import { protectionTasks } from './protect.ts'
import { recheckDownloadsTask } from './recheck.ts'
import { removeNodeFromBackups } from './remove-node.ts'
import { restoreFilesKeepingSaga, restoreFilesSaga } from './restore-files-saga.ts'
import { restoreSaga } from './restore-sagas.ts'
import * as routes from './routes.ts'
import { securedRestoreSaga } from './secured-restore-saga.ts'
import { backupSettings } from './settings.ts'
import * as settingsRoutes from './settings-routes.ts'
import { verifyBackupSaga } from './verify-saga.ts'
import { verifyTask } from './verify-task.ts'

/** Encrypted, incremental copies of servers. */
export const backups = defineDomain({
  name: 'backups',
  headings: [
    {
      name: 'Backups',
      description:
        'Copies of the files of a server or the disks of a virtual machine, which outlive mistakes.',
      paths: ['/api/servers/{id}/backups', '/api/nodes/{id}/backups', '/api/settings/backups'],
    },
  ],
  routes: [routes, nodeRoutes, settingsRoutes],
  settings: [backupSettings],
  budgets: backupBudgets,
  sagas: [
    createBackupSaga,
    restoreSaga,
    securedRestoreSaga,
    restoreFilesSaga,
    restoreFilesKeepingSaga,
    deleteBackupSaga,
    verifyBackupSaga,
  ],
  periodic: [...backupPeriodicTasks, ...protectionTasks, recheckDownloadsTask, verifyTask],
  notifications: backupNotices,
  notificationTypes: backupNoticeTypes,
  mails: backupMails,
  mailTranslations: { de: backupMailsInGerman },
  letters: backupLetters,
  live: announceBackups,
  answers: [answer(backupAction, actOnBackups), answer(nodeRemoval, removeNodeFromBackups)],
})
