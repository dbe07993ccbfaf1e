import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about suspensions, by their ids. */
export const suspensionMailsInGerman = {
  account_suspended: {
    subject: 'Ihr Konto bei {{ panel.name }} ist gesperrt',
    body: paragraphs(
      'Ihr Konto bei {{ panel.name }} wurde gesperrt{% if until %}, bis {{ until }}{% endif %}.{% if reason %} {{ reason }}{% endif %}',
      '{% if deletion %}Wenn das nicht geklärt wird, werden Ihre Server ab {{ deletion }} gelöscht. {% endif %}{% if appeal %}Melden Sie sich an, um zu sehen, was noch geht, und um Einspruch einzulegen.{% else %}Schreiben Sie uns, wenn Sie das für einen Irrtum halten.{% endif %}',
      '[Sperre ansehen]({{ link }})',
    ),
  },
  account_unsuspended: {
    subject: 'Ihr Konto bei {{ panel.name }} ist wieder frei',
    body: paragraphs(
      'Die Sperre Ihres Kontos bei {{ panel.name }} ist beendet. Sie können wieder alles benutzen.',
      '[Panel öffnen]({{ link }})',
    ),
  },
  appeal_reply: {
    subject: 'Die Antwort auf Ihren Einspruch bei {{ panel.name }}',
    body: paragraphs(
      'Ihr Einspruch bei {{ panel.name }} wurde {% if decision %}{{ decision }}{% else %}beantwortet{% endif %}:',
      '{{ message }}',
      '[Antwort lesen]({{ link }})',
    ),
  },
} as const
