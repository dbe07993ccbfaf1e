import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { saidIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

const DEVICE = { device: 'Firefox on Linux', address: '203.0.113.7' }
const NOT_YOU = [
  'If this was not you, choose a new password now. This signs out all your devices.',
  '[Choose a new password]({{ link }})',
]

export const confirmEmail = defineMail({
  id: 'email_change',
  title: 'Confirm a changed address',
  opens: 'confirmEmail',
  once: true,
  priority: 0,
  security: true,
  variables: {},
  subject: 'Confirm your new address',
  body: paragraphs(
    'You asked to use this address for your account at {{ panel.name }}.',
    '[Use this address]({{ link }})',
    'The link works once, until {{ expires }}. Your old address stays until you confirm.',
  ),
})

export const invitation = defineMail({
  id: 'invitation',
  title: 'Invitation of a new customer',
  opens: 'accept',
  once: true,
  priority: 0,
  security: true,
  variables: { inviter: 'Alex Host' },
  subject: 'Your account at {{ panel.name }}',
  body: paragraphs(
    '{% if inviter %}{{ inviter }} created an account for you{% else %}You have an account{% endif %} at {{ panel.name }}. Choose a password to sign in.',
    '[Choose a password]({{ link }})',
    'The link works once, until {{ expires }}.',
  ),
})

export const welcome = defineMail({
  id: 'welcome',
  title: 'Welcome to a new customer',
  opens: 'servers',
  priority: 2,
  variables: {},
  subject: 'Welcome to {{ panel.name }}',
  body: paragraphs(
    'Your account at {{ panel.name }} is open. You sign in with {{ user.email }}.',
    '[Open your servers]({{ link }})',
    'Add a passkey or an authenticator app under Account, Security: then nobody gets in with a stolen password alone.',
  ),
})

export const passwordReset = defineMail({
  id: 'password_reset',
  title: 'Link to a new password',
  opens: 'accept',
  once: true,
  priority: 0,
  security: true,
  variables: {},
  subject: 'Choose a new password',
  body: paragraphs(
    'Somebody requested a new password for your account at {{ panel.name }}.',
    '[Choose a new password]({{ link }})',
    'The link works once, until {{ expires }}. A new password signs out all devices and ends API tokens. Second factors stay. If you did not request this, ignore this mail.',
  ),
})

export const passwordChanged = defineMail({
  id: 'password_changed',
  title: 'The password was changed',
  opens: 'forgot',
  priority: 0,
  security: true,
  variables: DEVICE,
  subject: 'Your password was changed',
  body: paragraphs(
    'The password of your account at {{ panel.name }} was just changed from {{ device }} at {{ address }}. All other devices were signed out. API tokens and links from earlier mails no longer work.',
    ...NOT_YOU,
  ),
})

export const newDevice = defineMail({
  id: 'new_device',
  title: 'Sign-in from a new device',
  opens: 'forgot',
  priority: 0,
  security: true,
  variables: DEVICE,
  subject: 'New sign-in to your account',
  body: paragraphs(
    'Somebody just signed in to your account at {{ panel.name }} from a new device: {{ device }} at {{ address }}.',
    ...NOT_YOU,
  ),
})

export const secondFactorChanged = defineMail({
  id: 'second_factor_changed',
  title: 'A second factor was added or removed',
  opens: 'forgot',
  priority: 0,
  security: true,
  variables: { change: 'A passkey was added' },
  subject: 'Your second factors were changed',
  body: paragraphs(
    'The sign-in to your account at {{ panel.name }} was changed: {{ change }}.',
    ...NOT_YOU,
  ),
})

export const recoveryCodeUsed = defineMail({
  id: 'recovery_code_used',
  title: 'A recovery code was used',
  opens: 'forgot',
  priority: 0,
  security: true,
  variables: { left: '9', address: '203.0.113.7' },
  subject: 'A recovery code was used',
  body: paragraphs(
    'A recovery code of your account at {{ panel.name }} was just used from {{ address }}. Codes left: {{ left }}.',
    ...NOT_YOU,
  ),
})

export const accountMails = [
  confirmEmail,
  invitation,
  welcome,
  passwordReset,
  passwordChanged,
  newDevice,
  secondFactorChanged,
  recoveryCodeUsed,
]

/** Which events send mail. */
export const accountLetters: Letters = {
  'account.invitation': ({ userId, email: to, inviter, ...issued }) =>
    letter(invitation, { to, userId, issued, variables: { inviter: inviter ?? '' } }),
  'account.opened': ({ userId, email: to }) => letter(welcome, { to, userId, variables: {} }),
  'account.reset_requested': ({ userId, email: to, asked, ...issued }) =>
    letter(passwordReset, { to, userId, issued, asked, variables: {} }),
  'account.password_changed': ({ userId, email: to, address, device }) =>
    letter(passwordChanged, {
      ...{ to, userId },
      variables: (reader) => ({ address, device: saidIn(device, reader) }),
    }),
  'account.second_factor_changed': ({ userId, email: to, change }) =>
    letter(secondFactorChanged, {
      ...{ to, userId },
      variables: (reader) => ({ change: wordsFor(t, reader).factorChange({ change }) }),
    }),
  'account.recovery_code_used': ({ userId, email: to, left, address }) =>
    letter(recoveryCodeUsed, { to, userId, variables: { left: String(left), address } }),
  'account.new_device': ({ userId, email: to, address, device }) =>
    letter(newDevice, {
      ...{ to, userId },
      variables: (reader) => ({ address, device: saidIn(device, reader) }),
    }),
  'account.email_change': ({ userId, newEmail: to, token, expiresAt }) =>
    letter(confirmEmail, { to, userId, issued: { token, expiresAt }, variables: {} }),
}
