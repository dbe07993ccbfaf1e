import { bodyOf, cut, titleOf } from '../message.ts'
import { json, type Kind, pageOf, urlOf } from './kind.ts'

const PRIORITY = { info: 4, warn: 6, error: 8 } as const

export const gotify: Kind = {
  complain({ url, token }) {
    const parsed = urlOf(url)
    if ((parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') || parsed.username !== '')
      return ['url', 'must be the address of the Gotify server, such as https://gotify.example.com']
    if (!/^[\w.-]{5,100}$/.test(token ?? ''))
      return ['token', 'must be the token of an application']
    return undefined
  },
  request(sending) {
    const { target, parcel } = sending
    const url = new URL(target.url ?? '')
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/message`
    url.search = ''
    return json(
      url.href,
      {
        title: cut(titleOf(parcel), 250),
        message: cut(bodyOf(parcel) || titleOf(parcel), 4000),
        priority: PRIORITY[parcel.severity],
        extras: { 'client::notification': { click: { url: pageOf(sending) } } },
      },
      { 'x-gotify-key': target.token ?? '' },
    )
  },
}
