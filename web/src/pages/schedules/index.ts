import { createRoute } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { oneServer } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'
import { SCHEDULE_LISTS } from './lists.ts'
import { names } from './names.ts'

const serverSchedules = createRoute({
  getParentRoute: () => oneServer,
  path: 'schedules',
  component: page(() => import('./schedules-tab.tsx')),
})
const newSchedule = createRoute({
  getParentRoute: () => oneServer,
  path: 'schedules/new',
  validateSearch: (raw: Raw) => given({ preset: text(raw.preset) }),
  component: page(() => import('./builder/new-schedule-page.tsx')),
})
const schedule = createRoute({
  getParentRoute: () => oneServer,
  path: 'schedules/$scheduleId',
  component: page(() => import('./history/schedule-page.tsx')),
})
const editSchedule = createRoute({
  getParentRoute: () => oneServer,
  path: 'schedules/$scheduleId/edit',
  component: page(() => import('./builder/edit-schedule-page.tsx')),
})

/** Scheduled tasks of a server, and their results. */
export default definePages({
  routes: { server: [serverSchedules, newSchedule, schedule, editSchedule] },
  serverTabs: () => [
    { to: paths.serverSchedules, label: names.schedules, section: 'keep', help: 'schedules' },
  ],
  find: () => import('./find-schedules.ts'),
  patches: {
    schedules: (client, { serverId }: { readonly serverId: string }) => {
      for (const key of SCHEDULE_LISTS)
        void client.invalidateQueries({ queryKey: [key, { params: { id: serverId } }] })
    },
  },
})
