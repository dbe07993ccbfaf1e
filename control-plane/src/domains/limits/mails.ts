import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { amountWords } from './amount-words.ts'

export const limitWarning = defineMail({
  id: 'limit_warning',
  title: 'A limit is nearly reached',
  opens: 'accountLimits',
  priority: 1,
  variables: { limit: 'servers', used: '8', value: '10' },
  subject: 'You are close to a limit',
  body: paragraphs(
    'You use {{ used }} of {{ value }} {{ limit }} at {{ panel.name }}.',
    '[View limits]({{ link }})',
  ),
})

export const limitExceeded = defineMail({
  id: 'limit_exceeded',
  title: 'A limit is exceeded',
  opens: 'accountLimits',
  priority: 1,
  variables: {
    limit: 'servers',
    message: 'You use 11 of 10 servers',
  },
  subject: 'You are above a limit',
  body: paragraphs(
    'Your account at {{ panel.name }} is above a limit. {{ message }}.',
    '[View limits]({{ link }})',
  ),
})

export const limitMails = [limitWarning, limitExceeded]

/** Which events send mail. */
export const limitLetters: Letters = {
  'limit.warned': ({ userId, limit: key, ...amounts }) => {
    const { kind: limit, used, value } = amountWords(key, amounts.used, amounts.value)
    return letter(limitWarning, { userId, variables: { limit, used, value } })
  },
  'limit.exceeded': ({ userId, email: to, kind: limit, amount, byMail, ...told }) => {
    const message = amount === undefined ? told.message : `You use ${amount}`
    return byMail ? letter(limitExceeded, { to, userId, variables: { limit, message } }) : []
  },
}
