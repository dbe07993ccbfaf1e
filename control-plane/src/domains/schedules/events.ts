import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

interface ScheduleNews {
  serverId: string
  serverName: string
  ownerId: string
  authorId: string | null
  scheduleId: string
  scheduleName: string
}

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A run failed, or the schedule can no longer be run. */
    'schedule.failed': ScheduleNews & { reason: string }
    /** Due times passed while nothing ran; `at` is the newest of them. */
    'schedule.missed': ScheduleNews & { count: number; at: Date }
    /** A node ran it on its own, and has reported it now. */
    'schedule.ran_alone': ScheduleNews & { dueAt: string; state: string }
    /** A task that notifies the owner. */
    'schedule.notified': {
      serverId: string
      serverName: string
      ownerId: string
      scheduleId: string
      message: string
    }
  }
}

const people = ({ ownerId, authorId }: ScheduleNews) => ({
  users: [...new Set([ownerId, authorId])],
})
const link = ({ serverId: id }: { serverId: string }) => panelPath('serverSchedules', { id })

export const scheduleNoticeTypes: NoticeTypes = {
  'schedule.failed': {
    title: 'A schedule failed',
    severity: 'error',
    group: 'servers',
  },
  'schedule.missed': {
    title: 'A schedule did not run',
    severity: 'warn',
    group: 'servers',
  },
  'schedule.notified': {
    title: 'A schedule sends a message',
    severity: 'info',
    group: 'servers',
  },
}

/** Which events become notifications, with recipients and wording. */
export const scheduleNotices: Notices = {
  'schedule.failed': [
    {
      type: 'schedule.failed',
      to: people,
      notice: ({ scheduleName, serverName, reason, ...about }, reader) => ({
        title: wordsFor(t, reader).failed({ schedule: scheduleName, server: serverName }),
        body: reasonIn(reason, reader),
        link: link(about),
        groupKey: `schedule.failed:${about.scheduleId}`,
      }),
    },
  ],
  'schedule.missed': [
    {
      type: 'schedule.missed',
      to: people,
      notice: ({ scheduleName, serverName, count, at, ...about }, reader) => ({
        title: wordsFor(t, reader).missed({ schedule: scheduleName, server: serverName }),
        body: wordsFor(t, reader).missedTimes({ count, at: momentText(at, reader) }),
        link: link(about),
        groupKey: `schedule.missed:${about.scheduleId}`,
      }),
    },
  ],
  'schedule.notified': [
    {
      type: 'schedule.notified',
      to: ({ ownerId }) => ({ users: [ownerId] }),
      notice: ({ serverName, message, ...about }, reader) => ({
        title: wordsFor(t, reader).message({ server: serverName }),
        body: message,
        link: link(about),
        groupKey: `schedule.notified:${about.scheduleId}`,
      }),
    },
  ],
}
