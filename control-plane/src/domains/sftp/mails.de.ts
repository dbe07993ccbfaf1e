import { germanParagraphs as paragraphs } from '../../events/mails.ts'

/** The German wording of the mails about keys, by their ids. */
export const sftpMailsInGerman = {
  ssh_key_added: {
    subject: 'Ihrem Konto wurde ein SSH-Schlüssel hinzugefügt',
    body: paragraphs(
      'Ihrem Konto bei {{ panel.name }} wurde gerade ein SSH-Schlüssel hinzugefügt: „{{ key }}“ ({{ fingerprint }}). Er öffnet die Dateien Ihrer Server über SFTP.',
      'Falls Sie das nicht waren, wählen Sie jetzt ein neues Passwort. Damit werden alle Ihre Geräte abgemeldet und Ihre SSH-Schlüssel entfernt.',
      '[Neues Passwort wählen]({{ link }})',
    ),
  },
} as const
