import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about servers, by their ids. */
export const serverMailsInGerman = {
  collaborator_invite: {
    subject: '{{ inviter }} teilt {{ server }} mit Ihnen',
    body: paragraphs(
      '{{ inviter }} teilt den Server „{{ server }}“ bei {{ panel.name }} mit Ihnen. Sie dürfen: {{ permissions }}.',
      '[Einladung annehmen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Falls Sie {{ inviter }} nicht kennen, beachten Sie diese E-Mail nicht.',
    ),
  },
  server_gave_up: {
    subject: '{{ server }} bleibt gestoppt',
    body: paragraphs(
      'Ihr Server „{{ server }}“ bei {{ panel.name }} ist abgestürzt und wird nicht mehr neu gestartet. {{ reason }}.',
      'Suchen Sie in seiner letzten Ausgabe nach der Ursache. Sobald Sie sie behoben haben, starten Sie den Server wieder.',
      '[Server öffnen]({{ link }})',
    ),
  },
  server_ready: {
    subject: 'Sie haben einen neuen Server: {{ server }}',
    body: paragraphs(
      'Der Server „{{ server }}“ bei {{ panel.name }} wurde für Sie erstellt. Auf seiner Seite steht, wie Sie ihn erreichen und ob er schon installiert ist.',
      '[Server öffnen]({{ link }})',
    ),
  },
  server_suspended: {
    subject: '{{ server }} ist gesperrt',
    body: paragraphs(
      'Der Server „{{ server }}“ bei {{ panel.name }} lässt sich gerade nicht verwenden. {{ reason }}',
      'Seine Dateien bleiben erhalten. Schreiben Sie uns, falls Sie den Grund nicht kennen.',
      '[Server öffnen]({{ link }})',
    ),
  },
  server_deletion_scheduled: {
    subject: '{{ server }} wird gelöscht',
    body: paragraphs(
      'Der Server „{{ server }}“ bei {{ panel.name }} wird am {{ deleteAt }} mit allen Dateien gelöscht.',
      'Bis dahin kann der Besitzer die Löschung auf der Seite des Servers abbrechen. Falls niemand von Ihnen das wollte, brechen Sie sie ab, und ändern Sie Ihre Passwörter.',
      '[Server öffnen]({{ link }})',
    ),
  },
} as const
