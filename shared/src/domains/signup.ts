import { declare } from './declare.ts'

/** New accounts. */
export const signup = declare({
  permissions: {
    'signup.manage': 'Change the sign-up settings and invite people',
  },
  problems: {
    captcha_failed: { status: 400, title: 'The captcha was not solved' },
    account_unverified: { status: 403, title: 'The e-mail address is not confirmed' },
    account_pending: { status: 403, title: 'The account is waiting for approval' },
  },
})
