import { escapeHtml } from '../../../../http/escape-html.ts'
import { bodyOf, cut, titleOf } from '../message.ts'
import { json, type Kind, pageOf, urlOf } from './kind.ts'

/** An event of Matrix has at most 65,536 bytes; this leaves room in any script. */
const TEXT = 8000

const escaped = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')

export const matrix: Kind = {
  complain({ url, to, token }) {
    const parsed = urlOf(url)
    if ((parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') || parsed.username !== '')
      return ['url', 'must be the address of the home server, such as https://matrix.org']
    if (!/^![^\s/]{1,250}$/.test(to ?? ''))
      return ['to', 'must be the id of a room, such as !abc:matrix.org: its settings show it']
    if (!/^\S{5,1000}$/.test(token ?? ''))
      return ['token', 'must be the access token of an account']
    return undefined
  },
  request(sending) {
    const { target, parcel } = sending
    const url = new URL(target.url ?? '')
    // The same transaction id for every attempt, so that a repeated message is not shown twice.
    const path = `rooms/${encodeURIComponent(target.to ?? '')}/send/m.room.message/${parcel.id}`
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/_matrix/client/v3/${path}`
    url.search = ''
    const title = cut(titleOf(parcel), 500)
    const body = cut(bodyOf(parcel), TEXT)
    const page = pageOf(sending)
    const request = json(
      url.href,
      {
        msgtype: 'm.text',
        body: [title, body, page].filter((line) => line !== '').join('\n'),
        format: 'org.matrix.custom.html',
        formatted_body: `<b><a href="${escaped(page)}">${escaped(title)}</a></b><br>${escaped(body)}`,
        'm.mentions': {},
      },
      { authorization: `Bearer ${target.token}` },
    )
    return { ...request, method: 'PUT' }
  },
}
