import { germanParagraphs as paragraphs } from '../../events/mails.ts'

const NOT_YOU = [
  'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Damit werden alle Ihre Geräte abgemeldet.',
  '[Neues Passwort wählen]({{ link }})',
]

/** The German wording of the mails about accounts, by their ids. */
export const accountMailsInGerman = {
  email_change: {
    subject: 'Bestätigen Sie Ihre neue Adresse',
    body: paragraphs(
      'Sie möchten diese Adresse für Ihr Konto bei {{ panel.name }} benutzen.',
      '[Diese Adresse benutzen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Ihre alte Adresse bleibt, bis Sie bestätigen.',
    ),
  },
  invitation: {
    subject: 'Ihr Konto bei {{ panel.name }}',
    body: paragraphs(
      '{% if inviter %}{{ inviter }} hat für Sie ein Konto bei {{ panel.name }} erstellt{% else %}Sie haben ein Konto bei {{ panel.name }}{% endif %}. Wählen Sie ein Passwort, um sich anzumelden.',
      '[Passwort wählen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}.',
    ),
  },
  welcome: {
    subject: 'Willkommen bei {{ panel.name }}',
    body: paragraphs(
      'Ihr Konto bei {{ panel.name }} ist offen. Sie melden sich mit {{ user.email }} an.',
      '[Ihre Server öffnen]({{ link }})',
      'Fügen Sie unter Konto, Sicherheit einen Passkey oder eine Authenticator-App hinzu: Dann kommt niemand allein mit einem gestohlenen Passwort hinein.',
    ),
  },
  password_reset: {
    subject: 'Wählen Sie ein neues Passwort',
    body: paragraphs(
      'Jemand hat für Ihr Konto bei {{ panel.name }} ein neues Passwort angefordert.',
      '[Neues Passwort wählen]({{ link }})',
      'Der Link gilt einmal, bis {{ expires }}. Ein neues Passwort meldet alle Geräte ab und macht API-Tokens ungültig. Zweite Faktoren bleiben. Falls Sie das nicht angefordert haben, beachten Sie diese E-Mail nicht.',
    ),
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    body: paragraphs(
      'Das Passwort Ihres Kontos bei {{ panel.name }} wurde gerade geändert: {{ device }}, {{ address }}. Alle anderen Geräte wurden abgemeldet. API-Tokens und Links aus früheren E-Mails gelten nicht mehr.',
      ...NOT_YOU,
    ),
  },
  new_device: {
    subject: 'Neue Anmeldung bei Ihrem Konto',
    body: paragraphs(
      'Jemand hat sich gerade von einem neuen Gerät bei Ihrem Konto bei {{ panel.name }} angemeldet: {{ device }}, {{ address }}.',
      ...NOT_YOU,
    ),
  },
  second_factor_changed: {
    subject: 'Ihre zweiten Faktoren wurden geändert',
    body: paragraphs(
      'Die Anmeldung bei Ihrem Konto bei {{ panel.name }} wurde geändert: {{ change }}.',
      ...NOT_YOU,
    ),
  },
  recovery_code_used: {
    subject: 'Ein Wiederherstellungscode wurde benutzt',
    body: paragraphs(
      'Ein Wiederherstellungscode Ihres Kontos bei {{ panel.name }} wurde gerade von {{ address }} benutzt. Übrige Codes: {{ left }}.',
      ...NOT_YOU,
    ),
  },
} as const
