import { defineMail, type Letters, letter, paragraphs } from '../../../events/mails.ts'
import { whyDisabled } from './events.ts'

export const channelVerify = defineMail({
  id: 'channel_verify',
  title: 'Confirm an address for notifications',
  opens: 'verifyChannel',
  once: true,
  priority: 0,
  security: true,
  variables: { owner: 'sam@example.com' },
  subject: 'Receive notifications of {{ panel.name }}?',
  body: paragraphs(
    '{{ owner }} wants notifications of {{ panel.name }} to be sent to this address. Nothing is sent before you confirm it.',
    '[Confirm this address]({{ link }})',
    'The link works once, until {{ expires }}. If you do not know {{ owner }}, ignore this mail.',
  ),
})

export const channelMessage = defineMail({
  id: 'channel_message',
  title: 'A notification by mail',
  priority: 2,
  variables: {
    title: 'Survival has crashed',
    text: 'The process ended with the code 1.',
    page: 'https://panel.example.com/notifications',
    unsubscribe: 'https://panel.example.com/unsubscribe#token=sample',
  },
  subject: '{{ title }}',
  body: paragraphs(
    '{{ text }}',
    '[Open panel]({{ page }})',
    'You get this mail because this address is a notification channel. Stop these mails: {{ unsubscribe }}',
  ),
})

export const announcementMail = defineMail({
  id: 'announcement',
  title: 'An announcement of the host by mail',
  priority: 2,
  variables: {
    title: 'Announcement from Example Hosting',
    text: 'We renew the network in Frankfurt on Sunday night. Servers there are away for ten minutes.',
    page: 'https://panel.example.com/',
    unsubscribe: 'https://panel.example.com/unsubscribe#token=sample',
  },
  subject: '{{ title }}',
  body: paragraphs(
    '{{ text }}',
    '[Open panel]({{ page }})',
    'You get this mail because this address is a notification channel with announcements. Stop all mails of this channel: {{ unsubscribe }}',
  ),
})

const channelDisabled = defineMail({
  id: 'channel_disabled',
  title: 'A notification channel was disabled',
  opens: 'accountNotifications',
  priority: 1,
  variables: { channel: 'Team chat', why: 'Nothing could be delivered for three days.' },
  subject: 'The notification channel {{ channel }} was disabled',
  body: paragraphs(
    '{{ panel.name }} no longer sends anything to your notification channel {{ channel }}. {{ why }}',
    'The log of the channel shows what the receiver answered. Correct the channel and switch it on again.',
    '[Open notification channels]({{ link }})',
  ),
})

export const channelMails = [channelVerify, channelMessage, announcementMail, channelDisabled]

/** Which events send mail. */
export const channelLetters: Letters = {
  'channel.disabled': ({ userId, name: channel, ...failure }) =>
    letter(channelDisabled, {
      userId,
      variables: (reader) => ({ channel, why: whyDisabled(failure, reader) }),
    }),
}
