import { panelPath } from '@lodge/shared/panel-paths.ts'
import { type Notices, whose } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'limit.warned': { userId: string; limit: string; kind: string; used: number; value: number }
    /** A customer exceeds a limit, for example because it was lowered. */
    'limit.over': {
      userId: string
      email: string
      limit: string
      kind: string
      used: number
      value: number
    }
    /** A limit was exceeded and only warned, because enforcement is off. */
    'limit.exceeded': {
      userId: string
      email: string
      limit: string
      kind: string
      message: string
      tellCustomer: boolean
      byMail: boolean
    }
    /** An administrator exceeded a customer's limit with `force`. */
    'limit.forced': { userId: string; limit: string; message: string }
  }
}

const LIMITS = panelPath('accountLimits')

/** Which events become notifications, with recipients and wording. */
export const limitNotices: Notices = {
  'limit.warned': [
    {
      to: whose,
      notice: ({ limit, kind, used, value }) => ({
        type: 'limit.warning',
        severity: 'info',
        title:
          used > value
            ? 'You are above a limit'
            : used === value
              ? 'You have reached a limit'
              : 'You are close to a limit',
        body: `You use ${used} of ${value} ${kind}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
  ],
  'limit.over': [
    {
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, kind, used, value }) => ({
        type: 'customer.over_limit',
        severity: 'info',
        title: `${email} is above a limit`,
        body: `They use ${used} of ${value} ${kind}. They keep what they have, but cannot add more.`,
        link: panelPath('customerLimits', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
  'limit.exceeded': [
    {
      to: ({ userId, tellCustomer }) => ({ users: tellCustomer ? [userId] : [] }),
      notice: ({ limit, message }) => ({
        type: 'limit.exceeded',
        severity: 'warn',
        title: 'You are above a limit',
        body: `${message}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
    {
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, message }) => ({
        type: 'limit.exceeded',
        severity: 'warn',
        title: `${email} is above a limit`,
        body: `${message}.`,
        link: panelPath('customer', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
}
