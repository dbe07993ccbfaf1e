import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails to customers, by their ids. */
export const customerMailsInGerman = {
  email_changed: {
    subject: 'Ihre Adresse wurde geändert',
    body: paragraphs(
      'Ihr Konto bei {{ panel.name }} benutzt jetzt die Adresse {{ newEmail }}. Mit dieser hier können Sie sich nicht mehr anmelden.',
      '{% if link %}Falls Sie das nicht waren, stellen Sie Ihre Adresse wieder her und wählen Sie ein neues Passwort:{% endif %}',
      '{% if link %}[Das war ich nicht]({{ link }}){% endif %}',
      '{% if link %}Der Link gilt einmal, bis {{ expires }}. Damit werden alle Geräte abgemeldet und API-Tokens ungültig.{% else %}Ihr Anbieter hat sie geändert und alle Ihre Geräte abgemeldet. Falls Sie das nicht erwartet haben, fragen Sie Ihren Anbieter nach dem Grund.{% endif %}',
    ),
  },
} as const
