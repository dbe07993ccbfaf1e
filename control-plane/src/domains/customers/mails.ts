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
    'Your account at {{ panel.name }} now uses the address {{ newEmail }}. You can no longer sign in with this one.',
    '{% if link %}If this was not you, restore your address and choose a new password:{% endif %}',
    '{% if link %}[This was not me]({{ link }}){% endif %}',
    '{% if link %}The link works once, until {{ expires }}. Using it signs out all devices and ends API tokens.{% else %}Your host changed it and signed out all your devices. If you did not expect this, ask your host why.{% endif %}',
  ),
})

export const customerMails = [emailChanged]

/** Which events send mail. */
export const customerLetters: Letters = {
  'account.email_changed': ({ userId, email: to, newEmail, undo }) =>
    letter(emailChanged, { to, userId, issued: undo ?? undefined, variables: { newEmail } }),
}
