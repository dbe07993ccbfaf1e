import { isNumberKey, LIMIT_KEYS, type LimitKey } from '@lodge/shared/limits/keys.ts'
import type { EventCatalogue } from '../../events/catalogue.ts'
import {
  defineMail,
  type Letters,
  letter,
  paragraphs,
  type VariablesOf,
} from '../../events/mails.ts'
import type { Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { amountWords } from './amount-words.ts'
import { t } from './words.ts'

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
    'You keep what you have, but you can add nothing until you are below it again.',
    '[View limits]({{ link }})',
  ),
})

export const limitMails = [limitWarning, limitExceeded]

function exceeded(
  key: LimitKey,
  amount: EventCatalogue['limit.exceeded']['amount'],
  reader: Reader,
): VariablesOf<typeof limitExceeded> {
  const words = wordsFor(t, reader)
  if (amount === undefined || !isNumberKey(key))
    return { limit: LIMIT_KEYS[key].kind, message: words.notAllowed({ key }) }
  const inWords = amountWords(key, amount.used, amount.value, reader)
  return { limit: inWords.kind, message: words.youUse({ amount: words.amount({ ...inWords }) }) }
}

/** Which events send mail. */
export const limitLetters: Letters = {
  'limit.warned': ({ userId, limit: key, ...amounts }) =>
    letter(limitWarning, {
      userId,
      variables: (reader) => {
        const { kind: limit, used, value } = amountWords(key, amounts.used, amounts.value, reader)
        return { limit, used, value }
      },
    }),
  'limit.exceeded': ({ userId, email: to, limit: key, amount, byMail }) =>
    byMail
      ? letter(limitExceeded, { to, userId, variables: (reader) => exceeded(key, amount, reader) })
      : [],
}
