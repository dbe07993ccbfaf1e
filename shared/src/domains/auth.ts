import { declare } from './declare.ts'

/** Sessions, second factors, recovery and API tokens. */
export const auth = declare({
  permissions: {
    'tokens.manage': 'Create and revoke API tokens',
  },
  // Opens every account, so it is given to each person separately.
  reserved: ['tokens.manage'],
  problems: {
    invalid_token: { status: 400, title: 'The link or token no longer works' },
    invalid_credentials: { status: 401, title: 'Wrong e-mail address or password' },
    second_factor_required: { status: 401, title: 'A second factor is required' },
    invalid_second_factor: { status: 401, title: 'Wrong second factor' },
    challenge_expired: { status: 401, title: 'The sign-in took too long' },
    token_invalid: { status: 401, title: 'The API token is not valid' },
    viewing_only: { status: 403, title: 'Changes are off while you view as a customer' },
    second_factor_setup_required: { status: 403, title: 'Set up a second factor first' },
    reauthentication_required: { status: 403, title: 'Confirm your identity' },
    already_bootstrapped: { status: 409, title: 'The installation is already set up' },
    second_factor_locked: { status: 429, title: 'Too many wrong codes' },
    sign_in_guarded: { status: 429, title: 'Too many wrong passwords for this account' },
  },
})
