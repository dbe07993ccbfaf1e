import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails to subscribers of the status page, by their ids. */
export const statusMailsInGerman = {
  status_confirm: {
    subject: 'E-Mails zum Status von {{ panel.name }} erhalten?',
    body: paragraphs(
      'Jemand möchte E-Mails über Störungen und Wartungen von {{ panel.name }} an diese Adresse. Bevor Sie sie bestätigen, wird nichts gesendet.',
      '[Diese Adresse bestätigen]({{ confirm }})',
      'Der Link gilt bis {{ until }}. Falls Sie das nicht angefordert haben, beachten Sie diese E-Mail nicht.',
    ),
  },
  status_update: {
    subject: '{{ state }}: {{ title }}',
    body: paragraphs(
      '{{ text }}',
      '{% if components %}Betroffen: {{ components }}.{% endif %}',
      '[Statusseite öffnen]({{ page }})',
      'Sie erhalten diese E-Mail, weil diese Adresse die Statusseite abonniert. Abbestellen: {{ unsubscribe }}',
    ),
  },
} as const
