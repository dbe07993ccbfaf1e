import { inLanguage } from '@lodge/shared/words/bind.ts'
import { bodyOf, cut, titleOf } from '../message.ts'
import { t } from '../words.ts'
import { atService, json, type Kind, pageOf } from './kind.ts'

/** Escapes the three characters that have a meaning in Slack's text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const SIGNS = { info: '', warn: ':warning: ', error: ':red_circle: ' } as const
/** Limits of a text and of a section of Slack, with room for escapes. */
const FALLBACK = 2000
const SECTION = 2900

export const slack: Kind = {
  gone: [403, 404],
  complain: (target) =>
    atService(target, {
      hosts: /^hooks\.slack(-gov)?\.com$/,
      path: /^\/(services|workflows|triggers)\/\S+$/,
      like: 'https://hooks.slack.com/services/…: copy it from the incoming webhooks of the Slack app',
    }),
  shown: (url) => `${url.origin}${url.pathname.replace(/[^/]+$/, '…')}`,
  request(sending) {
    const { target, parcel, styled } = sending
    if (styled) return json(target.url ?? '', styled)
    const title = escaped(titleOf(parcel))
    const body = escaped(bodyOf(parcel))
    const section = cut(`${SIGNS[parcel.severity]}*${title.replaceAll('*', '')}*\n${body}`, SECTION)
    return json(target.url ?? '', {
      text: cut(body === '' ? title : `${title}: ${body}`, FALLBACK),
      unfurl_links: false,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: section, verbatim: true } },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: `<${pageOf(sending)}|${inLanguage(t, parcel.language).openPanel}>`,
            },
          ],
        },
      ],
    })
  },
}
