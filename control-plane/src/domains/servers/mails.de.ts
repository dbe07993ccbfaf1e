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
} as const
