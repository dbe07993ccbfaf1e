import { germanParagraphs as paragraphs } from '../../../events/mails.ts'

/** The German wording of the mails of notification channels, by their ids. */
export const channelMailsInGerman = {
  channel_verify: {
    subject: 'Benachrichtigungen von {{ panel.name }} erhalten?',
    body: paragraphs(
      '{{ owner }} möchte Benachrichtigungen von {{ panel.name }} an diese Adresse senden lassen. Bevor Sie sie bestätigen, wird nichts gesendet.',
      '[Diese Adresse bestätigen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Falls Sie {{ owner }} nicht kennen, beachten Sie diese E-Mail nicht.',
    ),
  },
  channel_message: {
    subject: '{{ title }}',
    body: paragraphs(
      '{{ text }}',
      '[Panel öffnen]({{ page }})',
      'Sie erhalten diese E-Mail, weil diese Adresse ein Benachrichtigungskanal ist. Abbestellen: {{ unsubscribe }}',
    ),
  },
  announcement: {
    subject: '{{ title }}',
    body: paragraphs(
      '{{ text }}',
      '[Panel öffnen]({{ page }})',
      'Sie erhalten diese E-Mail, weil diese Adresse ein Benachrichtigungskanal mit Ankündigungen ist. Alle E-Mails dieses Kanals abbestellen: {{ unsubscribe }}',
    ),
  },
  channel_disabled: {
    subject: 'Der Benachrichtigungskanal {{ channel }} wurde abgeschaltet',
    body: paragraphs(
      '{{ panel.name }} sendet nichts mehr an Ihren Benachrichtigungskanal {{ channel }}. {{ why }}',
      'Das Protokoll des Kanals zeigt, was der Empfänger geantwortet hat. Korrigieren Sie den Kanal und schalten Sie ihn wieder ein.',
      '[Benachrichtigungskanäle öffnen]({{ link }})',
    ),
  },
} as const
