import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails to administrators, by their ids. */
export const teamMailsInGerman = {
  team_invite: {
    subject: 'Einladung in das Team von {{ panel.name }}',
    body: paragraphs(
      '{{ inviter }} lädt Sie ein, {{ panel.name }} zu verwalten.',
      '[Einladung annehmen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Bei der ersten Anmeldung richten Sie einen zweiten Faktor ein.',
    ),
  },
  team_transfer: {
    subject: 'Werden Sie Super-Administrator von {{ panel.name }}',
    body: paragraphs(
      '{{ inviter }} möchte Sie zum Super-Administrator von {{ panel.name }} machen. Melden Sie sich an und bestätigen Sie, um anzunehmen.',
      '[Übertragung prüfen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Bis Sie bestätigen, ändert sich nichts.',
    ),
  },
} as const
