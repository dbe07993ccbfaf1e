import { bodyOf, cut, titleOf } from '../message.ts'
import { json, type Kind, pageOf } from './kind.ts'

/** Limit of a message of Telegram, in characters. */
const TEXT = 4096

export const telegram: Kind = {
  complain({ to, token }) {
    if (!/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(to ?? ''))
      return [
        'to',
        'must be the number of a chat, such as -1001234567890, or a channel such as @name',
      ]
    if (!/^\d{5,15}:[\w-]{30,60}$/.test(token ?? ''))
      return ['token', 'must be the token of a bot, such as 123456:ABC…: @BotFather gives it']
    return undefined
  },
  request(sending) {
    const { target, parcel } = sending
    const page = pageOf(sending)
    const text = [titleOf(parcel), bodyOf(parcel)].filter((line) => line !== '').join('\n\n')
    // Without a parse mode, nothing in the text is markup.
    return json(`https://api.telegram.org/bot${target.token}/sendMessage`, {
      chat_id: target.to,
      text: `${cut(text, TEXT - page.length - 2)}\n\n${page}`,
      link_preview_options: { is_disabled: true },
    })
  },
}
