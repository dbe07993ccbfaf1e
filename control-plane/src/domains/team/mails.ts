import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'

export const teamInvite = defineMail({
  id: 'team_invite',
  title: 'Invitation of an administrator',
  opens: 'accept',
  once: true,
  priority: 0,
  security: true,
  variables: { inviter: 'alex@example.com' },
  subject: 'You are invited to the team of {{ panel.name }}',
  body: paragraphs(
    '{{ inviter }} invites you to administer {{ panel.name }}.',
    '[Accept the invitation]({{ link }})',
    'The link works once, until {{ expires }}. You set up a second factor when you first sign in.',
  ),
})

export const teamTransfer = defineMail({
  id: 'team_transfer',
  title: 'Transfer of the super administrator',
  opens: 'transfer',
  once: true,
  priority: 0,
  security: true,
  variables: { inviter: 'alex@example.com' },
  subject: 'Become the super administrator of {{ panel.name }}',
  body: paragraphs(
    '{{ inviter }} wants to make you the super administrator of {{ panel.name }}. Sign in and confirm to accept.',
    '[Review the transfer]({{ link }})',
    'The link works once, until {{ expires }}. Nothing changes until you confirm.',
  ),
})

export const teamMails = [teamInvite, teamTransfer]

/** Which events send mail. */
export const teamLetters: Letters = {
  'team.invited': ({ userId, email: to, inviter, ...issued }) =>
    letter(teamInvite, { to, userId, issued, variables: { inviter } }),
  'team.transfer_requested': ({ userId, email: to, inviter, ...issued }) =>
    letter(teamTransfer, { to, userId, issued, variables: { inviter } }),
}
