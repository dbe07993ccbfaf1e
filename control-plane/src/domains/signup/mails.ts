import { defineMail, paragraphs } from '../../events/mails.ts'

export const verifyEmail = defineMail({
  id: 'verify_email',
  title: 'Confirm the address of a new account',
  opens: 'verify',
  once: true,
  priority: 0,
  security: true,
  variables: {},
  subject: 'Confirm your address',
  body: paragraphs(
    'welcome to {{ panel.name }}. Confirm that this address is yours to finish your sign-up.',
    '[Confirm my address]({{ link }})',
    'The link works once, until {{ expires }}. If you did not sign up, ignore this mail: without the confirmation nothing happens.',
  ),
})

export const signupApproved = defineMail({
  id: 'signup_approved',
  title: 'A sign-up was approved',
  opens: 'signIn',
  priority: 1,
  variables: {},
  subject: 'Your account is ready',
  body: paragraphs('your account at {{ panel.name }} was approved.', '[Sign in]({{ link }})'),
})

export const signupRejected = defineMail({
  id: 'signup_rejected',
  title: 'A sign-up was declined',
  priority: 1,
  variables: { reason: 'We do not serve your region yet.' },
  subject: 'Your sign-up at {{ panel.name }}',
  body: paragraphs(
    'your sign-up at {{ panel.name }} was declined and your data were removed.',
    '{% if reason %}The reason: {{ reason }}{% endif %}',
  ),
})

export const signupMails = [verifyEmail, signupApproved, signupRejected]
