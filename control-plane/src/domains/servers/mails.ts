import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { reasonIn, saidIn } from '../../said-in.ts'

export const collaboratorInvite = defineMail({
  id: 'collaborator_invite',
  title: 'Invitation to a server',
  opens: 'join',
  once: true,
  priority: 0,
  variables: {
    inviter: 'alex@example.com',
    server: 'Survival',
    permissions: 'Start, Stop, Read the console',
  },
  subject: '{{ inviter }} shares {{ server }} with you',
  body: paragraphs(
    '{{ inviter }} shares the server “{{ server }}” at {{ panel.name }} with you. You may: {{ permissions }}.',
    '[Accept the invitation]({{ link }})',
    'The link works once, until {{ expires }}. If you do not know {{ inviter }}, ignore this mail.',
  ),
})

export const serverGaveUp = defineMail({
  id: 'server_gave_up',
  title: 'A server stays stopped after crashes',
  opens: 'serverConsole',
  priority: 1,
  variables: {
    server: 'my-first-server',
    serverId: '01939a3e-6b5c-7000-8000-000000000001',
    reason:
      'The server ended with exit code 1; it was already restarted 3 times within 10 minutes, so it stays stopped',
  },
  subject: '{{ server }} stays stopped',
  body: paragraphs(
    'Your server “{{ server }}” at {{ panel.name }} crashed and is no longer restarted. {{ reason }}.',
    'Check its last output for the cause. Once you have fixed it, start the server again.',
    '[Open server]({{ link }})',
  ),
})

export const serverMails = [collaboratorInvite, serverGaveUp]

/** Which events send mail. */
export const serverLetters: Letters = {
  'server.invited': ({ userId, email: to, inviter, serverName: server, ...given }) =>
    letter(collaboratorInvite, {
      to,
      userId,
      issued: { token: given.token, expiresAt: given.expiresAt },
      variables: (reader) => ({
        inviter,
        server,
        permissions: given.permissions.map((one) => saidIn(one, reader)).join(', '),
      }),
    }),
  'server.gave_up': ({ serverId, serverName: server, people, reason }) =>
    people.map(({ userId, email: to }) =>
      letter(serverGaveUp, {
        ...{ to, userId },
        variables: (reader) => ({ server, serverId, reason: reasonIn(reason, reader) }),
      }),
    ),
}
