import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about limits, by their ids. */
export const limitMailsInGerman = {
  limit_warning: {
    subject: 'Sie haben ein Limit fast erreicht',
    body: paragraphs(
      'Sie nutzen {{ used }} von {{ value }} {{ limit }} bei {{ panel.name }}.',
      '[Limits ansehen]({{ link }})',
    ),
  },
  limit_exceeded: {
    subject: 'Sie liegen über einem Limit',
    body: paragraphs(
      'Ihr Konto bei {{ panel.name }} liegt über einem Limit. {{ message }}.',
      'Sie behalten, was Sie haben, können aber nichts hinzufügen, bis Sie wieder darunter liegen.',
      '[Limits ansehen]({{ link }})',
    ),
  },
} as const
