import { bodyOf, cut, titleOf } from '../message.ts'
import { atService, COLOURS, json, type Kind, pageOf } from './kind.ts'

/** Limits of Discord, in characters. */
const CONTENT = 2000
const TITLE = 256
const DESCRIPTION = 4000

/** Escapes characters that would format the text or mention people. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, '\\$&')

export const discord: Kind = {
  gone: [404],
  complain: (target) =>
    atService(target, {
      hosts: /^((ptb|canary)\.)?(discord|discordapp)\.com$/,
      path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+$/,
      like: 'https://discord.com/api/webhooks/…/…: copy it from the settings of the Discord channel',
    }),
  shown: (url) => `${url.origin}${url.pathname.replace(/[^/]+$/, '…')}`,
  request(sending) {
    const { target, parcel, style, styled } = sending
    const shared = { allowed_mentions: { parse: [] } }
    // A plugin may not have escaped a name that mentions everybody.
    if (styled) return json(target.url ?? '', { ...styled, ...shared })
    const title = titleOf(parcel)
    const text = bodyOf(parcel)
    const page = pageOf(sending)
    if (style !== 'card') {
      const lines = [`**${escaped(title)}**`, escaped(text)].filter((line) => line !== '')
      const room = CONTENT - page.length - 3
      return json(target.url ?? '', {
        ...shared,
        content: `${cut(lines.join('\n'), room)}\n<${page}>`,
      })
    }
    const embed = {
      title: cut(escaped(title), TITLE),
      description: cut(escaped(text), DESCRIPTION),
      url: page,
      color: COLOURS[parcel.severity],
      timestamp: parcel.at,
      ...(parcel.server && {
        fields: [{ name: 'Server', value: cut(escaped(parcel.server.name), 1024), inline: true }],
      }),
    }
    return json(target.url ?? '', { ...shared, embeds: [embed] })
  },
}
