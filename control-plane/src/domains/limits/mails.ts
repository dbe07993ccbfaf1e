import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'

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
    message: 'This would exceed the limit of 10 servers (10 in use, 1 requested)',
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
  'limit.warned': ({ userId, kind: limit, used, value }) => {
    const variables = { limit, used: String(used), value: String(value) }
    return letter(limitWarning, { userId, variables })
  },
  'limit.exceeded': ({ userId, email: to, kind: limit, message, byMail }) =>
    byMail ? letter(limitExceeded, { to, userId, variables: { limit, message } }) : [],
}
