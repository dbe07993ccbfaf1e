import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'

export const emailChanged = defineMail({
  id: 'email_changed',
  title: 'The address of an account was changed',
  opens: 'undoEmail',
  once: 'sometimes',
  priority: 0,
  security: true,
  variables: { newEmail: 'new@example.com' },
  subject: 'Your address was changed',
  body: paragraphs(
    'your account at {{ panel.name }} now uses the address {{ newEmail }}. This one no longer signs in.',
    '{% if link %}If this was not you, take your address back and choose a new password:{% endif %}',
    '{% if link %}[This was not me]({{ link }}){% endif %}',
    '{% if link %}The link works once, until {{ expires }}. It signs out every device and ends API tokens.{% else %}Your host changed it and signed out every device. If you did not expect this, write to your host at once.{% endif %}',
  ),
})

export const customerMails = [emailChanged]

/** Which events send mail. */
export const customerLetters: Letters = {
  'account.email_changed': ({ userId, email: to, newEmail, undo }) =>
    letter(emailChanged, { to, userId, issued: undo ?? undefined, variables: { newEmail } }),
}
