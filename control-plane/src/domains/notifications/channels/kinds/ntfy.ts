import { bodyOf, cut, cutBytes, titleOf } from '../message.ts'
import { json, type Kind, pageOf, urlOf } from './kind.ts'

/** ntfy turns larger messages into attachments. */
const MESSAGE_BYTES = 4000
const PRIORITY = { info: 3, warn: 4, error: 5 } as const
const TAGS = { info: 'information_source', warn: 'warning', error: 'rotating_light' } as const

const topicOf = (url: URL | undefined) => url?.pathname.split('/').at(-1) ?? ''

export const ntfy: Kind = {
  complain({ url }) {
    const parsed = urlOf(url)
    const fits =
      (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') &&
      parsed.username === '' &&
      /^[\w-]{1,64}$/.test(topicOf(parsed))
    return fits
      ? undefined
      : ['url', 'must be the address of a topic, such as https://ntfy.sh/my-topic']
  },
  request(sending) {
    const { target, parcel } = sending
    const topic = new URL(target.url ?? '')
    const server = new URL(topic)
    server.pathname = topic.pathname.slice(0, -topicOf(topic).length)
    server.search = ''
    return json(
      server.href,
      {
        topic: topicOf(topic),
        title: cut(titleOf(parcel), 250),
        message: cutBytes(bodyOf(parcel) || titleOf(parcel), MESSAGE_BYTES),
        priority: PRIORITY[parcel.severity],
        tags: [TAGS[parcel.severity]],
        click: pageOf(sending),
      },
      target.token === undefined ? {} : { authorization: `Bearer ${target.token}` },
    )
  },
}
