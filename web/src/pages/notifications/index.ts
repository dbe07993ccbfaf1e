import { createRoute } from '@tanstack/react-router'
import type { Key } from '../../api.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'
import { names } from './names.ts'

const INBOX = 'GET /api/notifications' satisfies Key<'GET'>
const SUMMARY = 'GET /api/notifications/summary' satisfies Key<'GET'>

const inboxSearch = (raw: Raw) =>
  given({ unread: raw.unread === true || undefined, after: text(raw.after) })

const notifications = createRoute({
  getParentRoute: () => inside,
  path: paths.notifications,
  validateSearch: inboxSearch,
  component: page(() => import('./notifications-page.tsx')),
})

export default definePages({
  routes: {
    inside: [notifications],
  },
  actions: () => [
    {
      to: paths.notifications,
      group: 'goTo',
      label: names.notifications,
      keywords: names.notificationsKeywords,
    },
  ],
  patches: {
    // The person has a new notification.
    notification: (client) => {
      void client.invalidateQueries({ queryKey: [INBOX] })
      void client.invalidateQueries({ queryKey: [SUMMARY] })
    },
    // Notifications were read, here or in another tab.
    inbox: (client, summary: { readonly unread: number }) => {
      client.setQueryData([SUMMARY], summary)
      void client.invalidateQueries({ queryKey: [INBOX] })
    },
  },
})
