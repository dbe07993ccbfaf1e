import { isNumberKey, type LimitKey, type NumberKey } from '@lodge/shared/limits/keys.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventCatalogue } from '../../events/catalogue.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import type { Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { amountOf } from './amount-words.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'limit.warned': { userId: string; limit: NumberKey; used: number; value: number }
    /** A customer exceeds a limit, for example because it was lowered. */
    'limit.over': {
      userId: string
      email: string
      limit: NumberKey
      used: number
      value: number
    }
    /** A limit was exceeded and only warned, because enforcement is off. */
    'limit.exceeded': {
      userId: string
      email: string
      limit: LimitKey
      /** The usage and the limit at that time; undefined if the limit is not a number. */
      amount: { used: number; value: number } | undefined
      tellCustomer: boolean
      byMail: boolean
    }
    /** An administrator exceeded a customer's limit with `force`. */
    'limit.forced': { userId: string; limit: string; message: string }
  }
}

/** In which way a limit is exceeded. */
function exceededBy(
  limit: LimitKey,
  amount: EventCatalogue['limit.exceeded']['amount'],
  reader: Reader,
  sentence: (words: typeof t, amount: string) => string,
): string {
  const words = wordsFor(t, reader)
  return amount === undefined || !isNumberKey(limit)
    ? `${words.notAllowed({ key: limit })}.`
    : sentence(words, amountOf(limit, amount.used, amount.value, reader))
}

const LIMITS = panelPath('accountLimits')

export const limitNoticeTypes: NoticeTypes = {
  'limit.warning': {
    title: 'A limit is nearly reached',
    severity: 'info',
    group: 'limits',
  },
  'limit.exceeded': {
    title: 'A limit is exceeded',
    severity: 'warn',
    group: 'limits',
  },
  'customer.over_limit': {
    title: 'A customer is above a limit',
    severity: 'info',
    group: 'host',
    staff: 'customers.quota',
  },
}

/** Which events become notifications, with recipients and wording. */
export const limitNotices: Notices = {
  'limit.warned': [
    {
      type: 'limit.warning',
      to: whose,
      notice: ({ limit, used, value }, reader) => {
        const words = wordsFor(t, reader)
        return {
          title: used > value ? words.above : used === value ? words.reached : words.near,
          body: words.youUseNow({ amount: amountOf(limit, used, value, reader) }),
          link: LIMITS,
          groupKey: `limit:${limit}`,
        }
      },
    },
  ],
  'limit.over': [
    {
      type: 'customer.over_limit',
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, used, value }, reader) => ({
        title: wordsFor(t, reader).customerAbove({ email }),
        body: wordsFor(t, reader).theyKeep({ amount: amountOf(limit, used, value, reader) }),
        link: panelPath('customerLimits', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
  'limit.exceeded': [
    {
      type: 'limit.exceeded',
      to: ({ userId, tellCustomer }) => ({ users: tellCustomer ? [userId] : [] }),
      notice: ({ limit, amount }, reader) => ({
        title: wordsFor(t, reader).above,
        body: exceededBy(limit, amount, reader, (words, amount) => words.youUseNow({ amount })),
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
    {
      type: 'limit.exceeded',
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, amount }, reader) => ({
        title: wordsFor(t, reader).customerAbove({ email }),
        body: exceededBy(limit, amount, reader, (words, amount) => words.theyUse({ amount })),
        link: panelPath('customer', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
}
