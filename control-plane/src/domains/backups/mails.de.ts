import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about backups, by their ids. */
export const backupMailsInGerman = {
  backup_failed: {
    subject: 'Das Backup von {{ server }} ist fehlgeschlagen',
    body: paragraphs(
      'Das Backup „{{ backup }}“ des Servers „{{ server }}“ bei {{ panel.name }} ist fehlgeschlagen: {{ reason }}',
      'Sein Zeitplan erstellt das nächste wie geplant. Frühere Backups bleiben erhalten.',
      '[Backups öffnen]({{ link }})',
    ),
  },
} as const
