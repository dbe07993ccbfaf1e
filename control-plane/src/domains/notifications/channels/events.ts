import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, type NoticeTypes, whose } from '../../../events/notices.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A channel delivers nothing any more, for a reason that its owner may not know. */
    'channel.disabled': { channelId: string; userId: string; name: string; why: string }
    /** A browser takes no notifications any more, and its channel was removed. */
    'channel.ended': { channelId: string; userId: string; name: string }
  }
}

export const channelNoticeTypes: NoticeTypes = {
  'channel.disabled': {
    title: 'A notification channel was disabled',
    severity: 'warn',
    group: 'account',
  },
  'channel.ended': {
    title: 'A browser takes no notifications any more',
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
  'channel.ended': [
    {
      type: 'channel.ended',
      to: whose,
      notice: ({ channelId, name }) => ({
        title: `${name} takes no notifications any more`,
        body: 'The permission was withdrawn there, or the data of the browser was cleared, so the channel was removed. To be told there again, turn it on in that browser.',
        link: panelPath('accountNotifications'),
        groupKey: `channel.ended:${channelId}`,
      }),
    },
  ],
}
