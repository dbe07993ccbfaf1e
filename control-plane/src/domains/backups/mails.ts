import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'
import { reasonIn } from '../../said-in.ts'

export const backupFailed = defineMail({
  id: 'backup_failed',
  title: 'A backup of a schedule failed',
  opens: 'serverBackups',
  priority: 2,
  variables: {
    server: 'my-first-server',
    serverId: '01939a3e-6b5c-7000-8000-000000000001',
    backup: 'Nightly',
    reason: 'The node did not answer in time',
  },
  subject: 'The backup of {{ server }} failed',
  body: paragraphs(
    'The backup “{{ backup }}” of the server “{{ server }}” at {{ panel.name }} failed: {{ reason }}',
    'Its schedule makes the next one as planned. Earlier backups are kept.',
    '[Open backups]({{ link }})',
  ),
})

export const backupMails = [backupFailed]

/** No mail about a backup that somebody makes by hand: the panel shows them its end. */
export const backupLetters: Letters = {
  'backup.failed': ({ scheduled, cancelled, people, reason, ...about }) =>
    scheduled && !cancelled
      ? people.map(({ userId, email: to }) =>
          letter(backupFailed, {
            ...{ to, userId },
            variables: (reader) => ({
              server: about.serverName,
              serverId: about.serverId,
              backup: about.backupName,
              reason: reasonIn(reason, reader),
            }),
          }),
        )
      : [],
}
