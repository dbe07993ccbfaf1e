import type { DisabledReason } from '@lodge/shared/notification-channels.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventCatalogue } from '../../../events/catalogue.ts'
import { type Notices, type NoticeTypes, whose } from '../../../events/notices.ts'
import type { Reader } from '../../../moment-text.ts'
import { reasonIn, wordsFor } from '../../../said-in.ts'
import { t } from './words.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A channel delivers nothing any more, for a reason that its owner may not know. */
    'channel.disabled': {
      channelId: string
      userId: string
      name: string
      reason: Exclude<DisabledReason, 'paused'>
      /** The receiver's last answer. */
      last: string
    }
    /** A browser no longer accepts notifications, so its channel was removed. */
    'channel.ended': { channelId: string; userId: string; name: string }
    /** The plugin whose style a channel had was uninstalled. */
    'channel.style_lost': { channelId: string; userId: string; name: string; plugin: string }
  }
}

/** Why nothing is delivered any more. */
export const whyDisabled = (
  { reason, last }: Pick<EventCatalogue['channel.disabled'], 'reason' | 'last'>,
  reader: Reader,
): string => wordsFor(t, reader).why({ reason, last: reasonIn(last, reader) })

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
  'channel.style_lost': {
    title: 'The style of a notification channel was removed',
    severity: 'info',
    group: 'account',
  },
}

/** Which events become notifications, with recipients and wording. */
export const channelNotices: Notices = {
  'channel.disabled': [
    {
      type: 'channel.disabled',
      to: whose,
      notice: ({ channelId, name, ...failure }, reader) => ({
        title: wordsFor(t, reader).disabled({ channel: name }),
        body: whyDisabled(failure, reader),
        link: panelPath('accountNotifications'),
        groupKey: `channel.disabled:${channelId}`,
      }),
    },
  ],
  'channel.ended': [
    {
      type: 'channel.ended',
      to: whose,
      notice: ({ channelId, name }, reader) => ({
        title: wordsFor(t, reader).ended({ channel: name }),
        body: wordsFor(t, reader).endedBody,
        link: panelPath('accountNotifications'),
        groupKey: `channel.ended:${channelId}`,
      }),
    },
  ],
  'channel.style_lost': [
    {
      type: 'channel.style_lost',
      to: whose,
      notice: ({ channelId, name, plugin }, reader) => ({
        title: wordsFor(t, reader).styleLost({ channel: name }),
        body: wordsFor(t, reader).styleLostBody({ plugin }),
        link: panelPath('accountNotifications'),
        groupKey: `channel.style_lost:${channelId}`,
      }),
    },
  ],
}
