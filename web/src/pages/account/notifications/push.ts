import { deviceOf } from '@lodge/shared/device.ts'
import type { NotificationChannel } from '@lodge/shared/notification-channels.ts'
import { PUSH_WORKER } from '@lodge/shared/push-worker.ts'
import { api } from '../../../api.ts'
import { said } from '../../../panel/said.ts'
import { subscribedAs, unsubscribe } from '../../../session/push-subscription.ts'
import { eventsOf } from './channel-values.ts'
import { t } from './words.ts'

const WAIT_SECONDS = 20

/** Why this browser cannot show notifications of this page; undefined when it can. */
export function whyNoPush(): string | undefined {
  if (!isSecureContext) return t.pushHttps
  const works =
    'serviceWorker' in navigator && 'PushManager' in window && typeof Notification === 'function'
  if (!works) return t.pushBrowser
  return Notification.permission === 'denied' ? t.pushBlocked : undefined
}

/** As `subscribedAs`, but null where notifications are impossible or blocked. */
export const thisBrowser = async (): Promise<string | null> =>
  whyNoPush() === undefined ? subscribedAs() : null

/**
 * Asks for permission, subscribes this browser at its vendor's push service, and adds it as a channel
 * for problems.
 * @throws Error with words for the person
 */
export async function turnOn(): Promise<NotificationChannel> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(t.pushNotAllowed)
  const { publicKey } = await api('GET /api/notification-channels/web-push-key')
  const { items } = await api('GET /api/notification-events')
  const made = await subscribe(publicKey)
  const { endpoint, keys } = made.toJSON()
  try {
    return await api('POST /api/notification-channels', {
      body: {
        ...{ name: said(deviceOf(navigator.userAgent)), kind: 'web_push', url: endpoint ?? '' },
        keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
        events: eventsOf('problems', items),
      },
    })
  } catch (error) {
    await unsubscribe()
    throw error
  }
}

/** Browsers that cannot reach their push service keep trying for as long as they are open. */
const impatience = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(t.pushSlow({ seconds: WAIT_SECONDS }))), WAIT_SECONDS * 1000)
  })

async function subscribe(applicationServerKey: string): Promise<PushSubscription> {
  try {
    await navigator.serviceWorker.register(PUSH_WORKER)
    const { pushManager } = await navigator.serviceWorker.ready
    // A subscription for another key, or one that no channel knows, does not receive our messages.
    await (await pushManager.getSubscription())?.unsubscribe()
    const made = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    return await Promise.race([made, impatience()])
  } catch (error) {
    await unsubscribe()
    throw new Error(t.pushFailed({ why: error instanceof Error ? error.message : String(error) }))
  }
}
