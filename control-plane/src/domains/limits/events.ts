import type { NumberKey } from '@lodge/shared/limits/keys.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { amountOf } from './amount-words.ts'

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
      limit: string
      kind: string
      /** The sentence of the API, and what is in use since then: `2 of 1 servers`. */
      message: string
      amount: string | undefined
      tellCustomer: boolean
      byMail: boolean
    }
    /** An administrator exceeded a customer's limit with `force`. */
    'limit.forced': { userId: string; limit: string; message: string }
  }
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
      notice: ({ limit, used, value }) => ({
        title:
          used > value
            ? 'You are above a limit'
            : used === value
              ? 'You have reached a limit'
              : 'You are close to a limit',
        body: `You use ${amountOf(limit, used, value)}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
  ],
  'limit.over': [
    {
      type: 'customer.over_limit',
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, used, value }) => ({
        title: `${email} is above a limit`,
        body: `They use ${amountOf(limit, used, value)}. They keep what they have, but cannot add more.`,
        link: panelPath('customerLimits', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
  'limit.exceeded': [
    {
      type: 'limit.exceeded',
      to: ({ userId, tellCustomer }) => ({ users: tellCustomer ? [userId] : [] }),
      notice: ({ limit, message, amount }) => ({
        title: 'You are above a limit',
        body: amount === undefined ? `${message}.` : `You use ${amount}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
    {
      type: 'limit.exceeded',
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, message, amount }) => ({
        title: `${email} is above a limit`,
        body: amount === undefined ? `${message}.` : `They use ${amount}.`,
        link: panelPath('customer', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
}
