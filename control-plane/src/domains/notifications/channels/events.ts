import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, type NoticeTypes, whose } from '../../../events/notices.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A channel delivers nothing any more, for a reason that its owner may not know. */
    'channel.disabled': { channelId: string; userId: string; name: string; why: string }
  }
}

export const channelNoticeTypes: NoticeTypes = {
  'channel.disabled': {
    title: 'A notification channel was disabled',
    severity: 'warn',
    group: 'account',
  },
}

/** Which events become notifications, with recipients and wording. */
export const channelNotices: Notices = {
  'channel.disabled': [
    {
      type: 'channel.disabled',
      to: whose,
      notice: ({ channelId, name, why }) => ({
        title: `The notification channel ${name} was disabled`,
        body: why,
        link: panelPath('accountNotifications'),
        groupKey: `channel.disabled:${channelId}`,
      }),
    },
  ],
}
