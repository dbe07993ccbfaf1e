import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  sftp: 'SFTP',
  lead: 'Greifen Sie mit einem eigenen Programm auf diese Dateien zu. <link>Mehr über SFTP</link>',
  off: 'SFTP ist aus',
  offText: 'Diese Installation hat kein SFTP: Laden Sie Dateien im Panel hoch und herunter.',
  notAllowed: 'SFTP ist für diesen Server nicht verfügbar',
  notAllowedText:
    'Sein Tarif oder die Limits seines Besitzers enthalten kein SFTP, oder der Server ist gesperrt oder wird bald gelöscht.',
  host: 'Host',
  port: 'Port',
  userName: 'Benutzername',
  hostKey: 'Hostschlüssel',
  copyHost: 'Host kopieren',
  copyPort: 'Port kopieren',
  copyUserName: 'Benutzernamen kopieren',
  copyHostKey: 'Fingerabdruck des Hostschlüssels kopieren',
  command: 'Befehl',
  password: 'Passwort',
  noPassword:
    'Sie haben für diesen Server kein SFTP-Passwort. Das Passwort Ihres Kontos gilt hier nicht.',
  passwordMade: 'SFTP-Passwort für diesen Server erstellt: <when></when>',
  passwordUsed: 'SFTP-Passwort für diesen Server zuletzt verwendet: <when></when>',
  makePassword: 'Passwort erstellen',
  renew: 'Neues Passwort…',
  renewQuestion:
    'Neues Passwort erstellen? Das bisherige wird ungültig, und seine Verbindungen enden.',
  renewPassword: 'Neues Passwort erstellen',
  remove: 'Entfernen…',
  removeQuestion: 'Passwort entfernen? Damit hergestellte Verbindungen enden.',
  removePassword: 'Passwort entfernen',
  copyNow: 'Kopieren Sie das Passwort jetzt: Es wird nicht noch einmal angezeigt',
  notMade: 'Das Passwort wurde nicht erstellt',
  notRemoved: 'Das Passwort wurde nicht entfernt',
  keys: '{count, plural, =0 {Ihr Konto hat keinen SSH-Schlüssel.} one {Ihr Konto hat # SSH-Schlüssel.} other {Ihr Konto hat # SSH-Schlüssel.}}',
  manageKeys: 'SSH-Schlüssel verwalten',
})
