import {
  AddChannel,
  ChannelDelivery,
  ChannelKind,
  ChannelStyle,
  ChannelTest,
  EditChannel,
  NotificationChannel,
} from '@lodge/shared/notification-channels.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../../db/cursor.ts'
import { NOTICE_GROUPS } from '../../../events/notices.ts'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import { bytesBody } from '../../../http/raw-body.ts'
import { channel } from './access.ts'
import { channelBudgets } from './budgets.ts'
import * as channels from './channels.ts'
import { knownEvents } from './known-events.ts'
import * as log from './log.ts'
import { unsubscribe, verifyAddress } from './mail-channel.ts'
import { deleteChannel } from './store.ts'
import { listStyles } from './styles.ts'
import { testChannel } from './test-channel.ts'
import { openVapid } from './web-push/keys.ts'

const own = { who: 'user', on: channel, own: true } as const
const LinkToken = z.string().min(1).max(200)

export const listNotificationChannels = get('/api/notification-channels', {
  summary: 'Own notification channels',
  access: { who: 'user' },
  reply: z.object({ items: z.array(NotificationChannel) }),
  handle: ({ ctx }) => channels.listOwn(ctx),
})

export const getWebPushKey = get('/api/notification-channels/web-push-key', {
  summary: 'The key to which browsers subscribe for channels of the kind web_push (VAPID)',
  access: { who: 'user' },
  reply: z.object({ publicKey: z.string() }),
  handle: async ({ ctx }) => ({ publicKey: (await openVapid(ctx)).publicKey }),
})

export const addNotificationChannel = post('/api/notification-channels', {
  summary: 'Add a notification channel; the secret of a webhook is shown once',
  access: { who: 'user', throttle: channelBudgets.channelLinks },
  body: AddChannel,
  reply: NotificationChannel.extend({ secret: z.string().nullable() }),
  status: 201,
  shownOnce: true,
  recorded: { words: 'added the notification channel {target}', leavesOut: ['url'] },
  handle: ({ ctx, body }) => channels.addChannel(ctx, body),
})

export const editNotificationChannel = patch('/api/notification-channels/{id}', {
  summary: 'Change a notification channel',
  access: own,
  body: EditChannel,
  reply: NotificationChannel,
  recorded: { words: 'changed a notification channel', leavesOut: ['url'] },
  handle: ({ ctx, channel, body }) => channels.editChannel(ctx, channel, body),
})

export const removeNotificationChannel = del('/api/notification-channels/{id}', {
  summary: 'Remove a notification channel',
  access: own,
  recorded: 'removed a notification channel',
  handle: ({ ctx, channel }) => deleteChannel(ctx.db, channel.id),
})

export const testNotificationChannel = post('/api/notification-channels/{id}/test', {
  summary: 'Send a test message now and report what the receiver answers',
  access: { ...own, throttle: channelBudgets.testChannel },
  reply: ChannelTest,
  waits: true,
  recorded: { words: 'sent themselves a test message', looks: true },
  handle: ({ ctx, channel }) => testChannel(ctx, channel),
})

export const rotateChannelSecret = post('/api/notification-channels/{id}/secret', {
  summary: 'Give a webhook a new secret; the former one signs too for a day',
  access: own,
  reply: z.object({ secret: z.string(), formerSecretUntil: z.iso.datetime() }),
  shownOnce: true,
  recorded: 'gave a notification channel a new secret',
  handle: ({ ctx, channel }) => channels.rotateSecret(ctx, channel),
})

export const mailChannelVerification = post('/api/notification-channels/{id}/verification', {
  summary: 'Mail the link again that confirms the address of a channel',
  access: { ...own, throttle: channelBudgets.verifyChannel },
  recorded: 'sent the confirmation of a notification channel again',
  handle: ({ ctx, channel }) => channels.verifyAgain(ctx, channel),
})

export const listChannelDeliveries = get('/api/notification-channels/{id}/deliveries', {
  summary: 'What was sent to a channel in the last 30 days, the newest first',
  access: own,
  query: z.object(pageQuery),
  reply: pageOf(ChannelDelivery),
  handle: ({ ctx, channel, query }) => log.pageOfLog(ctx, channel, query),
})

export const resendChannelDelivery = post(
  '/api/notification-channels/{id}/deliveries/{deliveryId}/resend',
  {
    summary: 'Send a message of the log again, with the same id',
    access: own,
    recorded: 'sent a message of a notification channel again',
    handle: ({ ctx, channel, params }) => log.resend(ctx, channel, params.deliveryId),
  },
)

export const verifyChannelAddress = post('/api/notification-channels/verify', {
  summary: 'Confirm the mail address of a channel with the mailed link',
  access: { who: 'anyone', throttle: channelBudgets.channelLinks },
  body: z.strictObject({ token: LinkToken }),
  reply: z.object({ address: z.string() }),
  handle: ({ ctx, body }) => verifyAddress(ctx, body.token),
})

export const unsubscribeChannel = post('/api/notification-channels/unsubscribe/{token}', {
  summary: 'Stop the mails of a channel, as mail programs do with one click (RFC 8058)',
  access: { who: 'anyone', throttle: channelBudgets.channelLinks },
  body: bytesBody({
    maxBytes: 1024,
    contentTypes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
  }),
  handle: ({ ctx, params }) => unsubscribe(ctx, params.token),
})

export const listNotificationEvents = get('/api/notification-events', {
  summary: 'The events to which the caller may subscribe a channel',
  access: { who: 'user' },
  reply: z.object({
    items: z.array(
      z.object({
        type: z.string(),
        title: z.string(),
        severity: z.enum(['info', 'warn', 'error']),
        group: z.enum(NOTICE_GROUPS),
        forStaff: z.boolean(),
      }),
    ),
  }),
  handle: async ({ ctx }) => ({ items: knownEvents(ctx) }),
})

export const listNotificationStyles = get('/api/notification-styles', {
  summary: 'Styles of the messages to channels, with the kinds of channels that may choose each',
  access: { who: 'user' },
  reply: z.object({
    items: z.array(z.object({ id: ChannelStyle, name: z.string(), kinds: z.array(ChannelKind) })),
  }),
  handle: async ({ ctx }) => ({ items: await listStyles(ctx) }),
})
