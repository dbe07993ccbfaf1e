import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about sign-ups, by their ids. */
export const signupMailsInGerman = {
  verify_email: {
    subject: 'Bestätigen Sie Ihre Adresse',
    body: paragraphs(
      'Willkommen bei {{ panel.name }}. Bestätigen Sie Ihre Adresse, um Ihre Registrierung abzuschließen.',
      '{% if again %}Jemand hat sich mit Ihrer Adresse mehr als einmal registriert. Falls das nicht nur Sie waren, kennt jemand anders eines der Passwörter. Deshalb wählen Sie beim Bestätigen ein neues.{% endif %}',
      '[Adresse bestätigen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Falls Sie sich nicht registriert haben, beachten Sie diese E-Mail nicht. Es geschieht nichts, bis die Adresse bestätigt ist.',
    ),
  },
  signup_approved: {
    subject: 'Ihr Konto ist bereit',
    body: paragraphs(
      'Ihr Konto bei {{ panel.name }} ist bereit. Sie können sich jetzt anmelden.',
      '[Anmelden]({{ link }})',
    ),
  },
  signup_rejected: {
    subject: 'Ihre Registrierung bei {{ panel.name }}',
    body: paragraphs(
      'Ihre Registrierung bei {{ panel.name }} wurde abgelehnt, und Ihre Daten wurden gelöscht.',
      '{% if reason %}Grund: {{ reason }}{% endif %}',
    ),
  },
} as const
