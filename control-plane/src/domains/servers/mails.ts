import type { SuspensionCause } from '@lodge/shared/servers.ts'
import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, saidIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

export const collaboratorInvite = defineMail({
  id: 'collaborator_invite',
  title: 'Invitation to a server',
  opens: 'join',
  once: true,
  priority: 0,
  variables: {
    inviter: 'alex@example.com',
    server: 'Survival',
    permissions: 'Start; Stop; Read the console',
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

const SAMPLE = {
  server: 'my-first-server',
  serverId: '01939a3e-6b5c-7000-8000-000000000001',
} as const

export const serverReady = defineMail({
  id: 'server_ready',
  title: 'The host made a server for a customer',
  opens: 'serverConsole',
  priority: 1,
  variables: SAMPLE,
  subject: 'You have a new server: {{ server }}',
  body: paragraphs(
    'The server “{{ server }}” at {{ panel.name }} was made for you. Its page says how to reach it and whether it is installed already.',
    '[Open server]({{ link }})',
  ),
})

export const serverSuspended = defineMail({
  id: 'server_suspended',
  title: 'A server was suspended',
  opens: 'serverConsole',
  priority: 1,
  variables: { ...SAMPLE, reason: 'Suspended by the host.' },
  subject: '{{ server }} is suspended',
  body: paragraphs(
    'The server “{{ server }}” at {{ panel.name }} cannot be used now. {{ reason }}',
    'Its files are kept. Write to us if you do not know why.',
    '[Open server]({{ link }})',
  ),
})

export const serverDeletionScheduled = defineMail({
  id: 'server_deletion_scheduled',
  title: 'A server will be deleted',
  opens: 'serverConsole',
  priority: 1,
  variables: { ...SAMPLE, deleteAt: '22 November 2026, 09:30 UTC' },
  subject: '{{ server }} will be deleted',
  body: paragraphs(
    'The server “{{ server }}” at {{ panel.name }} will be deleted on {{ deleteAt }}, with all its files.',
    'Until then the owner can cancel the deletion on the page of the server. If none of you wanted this, cancel it and change your passwords.',
    '[Open server]({{ link }})',
  ),
})

export const serverMails = [
  ...[collaboratorInvite, serverGaveUp],
  ...[serverReady, serverSuspended, serverDeletionScheduled],
]

/** Suspensions that the account or billing sends its own mail about. */
const TOLD_ELSEWHERE: readonly SuspensionCause[] = ['account', 'billing']

/** Which events send mail. */
export const serverLetters: Letters = {
  'server.invited': ({ userId, email: to, inviter, serverName: server, ...given }) =>
    letter(collaboratorInvite, {
      to,
      userId,
      issued: { token: given.token, expiresAt: given.expiresAt },
      asked: given.asked,
      variables: (reader) => ({
        inviter,
        server,
        permissions: given.permissions.map((one) => saidIn(one, reader)).join('; '),
      }),
    }),
  'server.gave_up': ({ serverId, serverName: server, people, reason }) =>
    people.map(({ userId, email: to }) =>
      letter(serverGaveUp, {
        ...{ to, userId },
        variables: (reader) => ({ server, serverId, reason: reasonIn(reason, reader) }),
      }),
    ),
  'server.created': ({ serverId, serverName: server, people, byStaff }) =>
    byStaff
      ? people.map(({ userId }) => letter(serverReady, { userId, variables: { server, serverId } }))
      : [],
  'server.suspended': ({ serverId, serverName: server, people, cause }) =>
    TOLD_ELSEWHERE.includes(cause)
      ? []
      : people.map(({ userId, email: to }) =>
          letter(serverSuspended, {
            ...{ to, userId },
            variables: (reader) => ({
              ...{ server, serverId },
              reason: wordsFor(t, reader).suspendedBy({ cause }),
            }),
          }),
        ),
  'server.deletion_scheduled': ({ serverId, serverName: server, people, deleteAt, announced }) =>
    announced
      ? []
      : people.map(({ userId, email: to }) =>
          letter(serverDeletionScheduled, {
            ...{ to, userId },
            variables: (reader) => ({ server, serverId, deleteAt: momentText(deleteAt, reader) }),
          }),
        ),
}
