import { inLanguage } from '@lodge/shared/words/bind.ts'
import { bodyOf, cut, titleOf } from '../message.ts'
import { t } from '../words.ts'
import { atService, json, type Kind, pageOf } from './kind.ts'

/** Marks of the Markdown of a text block. */
const escaped = (text: string): string => text.replaceAll(/[\\*_[\]()#`~>-]/g, '\\$&')

const LOOK = { info: 'Default', warn: 'Warning', error: 'Attention' } as const

export const teams: Kind = {
  gone: [404],
  complain: (target) =>
    atService(target, {
      hosts: /^[\w.-]+\.(logic\.azure\.com|webhook\.office\.com|api\.powerplatform\.com)$/,
      path: /^\/\S+$/,
      like: 'https://….logic.azure.com/workflows/…: copy it from the workflow “Post to a channel when a webhook request is received”',
    }),
  shown: (url) => `${url.origin}/…`,
  request(sending) {
    const { target, parcel, styled } = sending
    if (styled) return json(target.url ?? '', styled)
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          ...{ type: 'TextBlock', text: cut(escaped(titleOf(parcel)), 500), wrap: true },
          ...{ weight: 'Bolder', size: 'Medium', color: LOOK[parcel.severity] },
        },
        {
          ...{ type: 'TextBlock', wrap: true },
          text: cut(escaped(bodyOf(parcel)).replaceAll('\n', '\n\n'), 6000) || ' ',
        },
      ],
      actions: [
        {
          type: 'Action.OpenUrl',
          title: inLanguage(t, sending.parcel.language).openPanel,
          url: pageOf(sending),
        },
      ],
    }
    return json(target.url ?? '', {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
    })
  },
}
