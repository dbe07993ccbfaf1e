import { answer } from '../../answers.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { panelName } from '../auth/index.ts'
import { tellOfAnnouncement } from './announcement.ts'
import { announcementNotices, announcementTypes } from './events.ts'
import { tellOfAnnouncements } from './live.ts'
import { nameOfPanel } from './name.ts'
import { dressPage } from './page.ts'
import * as routes from './routes.ts'
import { deleteOrphans } from './store.ts'

/** How the panel looks and what it is called; each saved look is a version that can be restored. */
export const branding = defineDomain({
  name: 'branding',
  headings: [
    {
      name: 'Appearance',
      description: 'Name, colours, images and announcement of the panel.',
      paths: ['/api/branding'],
    },
  ],
  routes: [routes],
  page: ({ db }, html, kind) => dressPage(db, html, kind),
  live: tellOfAnnouncements,
  answers: [answer(panelName, nameOfPanel)],
  notifications: announcementNotices,
  notificationTypes: announcementTypes,
  periodic: [
    tellOfAnnouncement,
    periodicTask('branding.tidy', 3600, async ({ db }) => ({ deleted: await deleteOrphans(db) })),
  ],
})
