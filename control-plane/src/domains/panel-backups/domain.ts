import { defineDomain } from '../../domain.ts'
import { panelBackupNotices, panelBackupNoticeTypes } from './events.ts'
import { announcePanelBackups } from './live.ts'
import * as routes from './routes.ts'
import { backUpPanelSaga } from './saga.ts'
import { panelBackupTasks } from './schedule.ts'

/** Copies of the panel itself, which restore it on an empty machine. */
export const panelBackups = defineDomain({
  name: 'panel-backups',
  headings: [
    {
      name: 'Backups of the panel',
      description: 'Encrypted copies of the database, keys and files of the panel itself.',
      paths: ['/api/panel-backups', '/api/settings/panel-backups'],
    },
  ],
  routes: [routes],
  sagas: [backUpPanelSaga],
  periodic: panelBackupTasks,
  notifications: panelBackupNotices,
  notificationTypes: panelBackupNoticeTypes,
  live: announcePanelBackups,
})
