import { createHmac } from 'node:crypto'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { NoticeType } from '../../../../events/notices.ts'
import { bodyOf, cutBytes, type Parcel, titleOf } from '../message.ts'
import { complainOfKeys, encryptPush, MAX_PUSH_BYTES } from '../web-push/encrypt.ts'
import { vapidHeader } from '../web-push/vapid.ts'
import { type Kind, SENDER, type Sending, urlOf } from './kind.ts'

type BySeverity<T> = Readonly<Record<NoticeType['severity'], T>>
const DAY_SECONDS = 86_400
/** How long a push service keeps it for a browser that is not running. */
const TTL_SECONDS: BySeverity<number> = {
  info: DAY_SECONDS,
  warn: 3 * DAY_SECONDS,
  error: 7 * DAY_SECONDS,
}
/** A device with little battery delays messages of low urgency (RFC 8030, 5.3). */
const URGENCY: BySeverity<string> = { info: 'low', warn: 'normal', error: 'high' }
const TITLE_BYTES = 250
/**
 * Lengths to try: screens show no more than the first; the second is for texts that JSON escapes
 * lengthen.
 */
const BODY_BYTES = [2000, 300]

/** A notification of a browser, through the push service of its maker. */
export const webPush: Kind = {
  gone: [404],
  endsWhenGone: true,
  complain({ url, keys }) {
    const parsed = urlOf(url)
    if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
      return ['url', 'must be the address that the push service of a browser gave, with https://']
    const wrong = keys && complainOfKeys(keys)
    return wrong === undefined ? undefined : ['keys', wrong]
  },
  shown: (url) => `${url.origin}/…`,
  request(sending) {
    const { target, parcel, panel, push, now } = sending
    if (!push || !target.keys || !target.url) throw new Error('a browser without its keys')
    const topic = topicOf(parcel, target.keys.auth)
    return {
      url: target.url,
      method: 'POST',
      headers: {
        ...SENDER,
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: vapidHeader(push.vapid, target.url, panel.url, now),
        ttl: String(TTL_SECONDS[parcel.severity]),
        urgency: URGENCY[parcel.severity],
        topic,
      },
      body: encryptPush(payloadOf(sending, topic), target.keys),
    }
  },
}

/**
 * Later messages about the same thing replace earlier ones that the browser has not seen. Hashed with
 * a secret, so that the push service learns nothing from it. A digest replaces nothing.
 */
function topicOf({ id, type, server, link, items }: Parcel, auth: string): string {
  const about = items.length > 0 ? [id] : [type, server?.id, link]
  return createHmac('sha256', auth).update(JSON.stringify(about)).digest('base64url').slice(0, 32)
}

/** The payload that the service worker shows (web/public/push-worker.js). */
function payloadOf({ parcel, push }: Sending, tag: string): Buffer {
  const [payload] = BODY_BYTES.map((most) =>
    Buffer.from(
      JSON.stringify({
        title: cutBytes(titleOf(parcel), TITLE_BYTES),
        body: cutBytes(bodyOf(parcel), most),
        link: parcel.link ?? panelPath('notifications'),
        icon: push?.icon,
        tag,
      }),
    ),
  ).filter(({ length }) => length <= MAX_PUSH_BYTES)
  if (!payload) throw new Error('a message that is too long for a push service')
  return payload
}
