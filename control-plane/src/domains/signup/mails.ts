import { defineMail, paragraphs } from '../../events/mails.ts'

export const verifyEmail = defineMail({
  id: 'verify_email',
  title: 'Confirm the address of a new account',
  opens: 'verify',
  once: true,
  priority: 0,
  security: true,
  variables: { again: '' },
  subject: 'Confirm your address',
  body: paragraphs(
    'Welcome to {{ panel.name }}. Confirm your address to complete your sign-up.',
    '{% if again %}Somebody has signed up with your address more than once. If that was not only you, somebody else knows one of the passwords, so you choose a new one when you confirm.{% endif %}',
    '[Confirm address]({{ link }})',
    'The link works once, until {{ expires }}. If you did not sign up, ignore this mail. Nothing happens until the address is confirmed.',
  ),
})

export const signupApproved = defineMail({
  id: 'signup_approved',
  title: 'A sign-up was approved',
  opens: 'signIn',
  priority: 1,
  variables: {},
  subject: 'Your account is ready',
  body: paragraphs(
    'Your account at {{ panel.name }} is ready. You can sign in now.',
    '[Sign in]({{ link }})',
  ),
})

export const signupRejected = defineMail({
  id: 'signup_rejected',
  title: 'A sign-up was declined',
  priority: 1,
  variables: { reason: 'We do not serve your region yet.' },
  subject: 'Your sign-up at {{ panel.name }}',
  body: paragraphs(
    'Your sign-up at {{ panel.name }} was declined, and your data was deleted.',
    '{% if reason %}Reason: {{ reason }}{% endif %}',
  ),
})

export const signupMails = [verifyEmail, signupApproved, signupRejected]
