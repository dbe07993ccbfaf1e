import { defineDomain } from '../../domain.ts'
import { cloneSaga } from './clone-saga.ts'
import { cloneNotices, cloneNoticeTypes } from './events.ts'
import { lostClones } from './give-up.ts'
import * as routes from './routes.ts'

/** Servers created as copies of others. */
export const clones = defineDomain({
  name: 'clones',
  headings: [
    {
      name: 'Clones',
      description: 'New servers with the settings, schedules and files of another one.',
      paths: ['/api/servers/{id}/clone'],
    },
  ],
  routes: [routes],
  notifications: cloneNotices,
  notificationTypes: cloneNoticeTypes,
  sagas: [cloneSaga],
  periodic: [lostClones],
})
