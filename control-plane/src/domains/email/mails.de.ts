import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mail of a test, by its id. */
export const ownMailsInGerman = {
  test: {
    subject: 'E-Mails von {{ panel.name }} kommen an',
    body: paragraphs(
      'Diese E-Mail testet die E-Mail-Einstellungen von {{ panel.name }}. Sie können sie lesen, also stimmen sie.',
      '[Panel öffnen]({{ link }})',
    ),
  },
} as const
