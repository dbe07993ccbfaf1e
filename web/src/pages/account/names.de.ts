import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  account: 'Konto',
  profile: 'Konto: Profil und Einstellungen',
  profileKeywords: 'name sprache zeitzone dichte farben design e-mail',
  security: 'Konto: Sicherheit',
  securityKeywords:
    'passwort passkey authenticator zweiter faktor geräte sitzungen wiederherstellungscodes 2fa',
  channels: 'Konto: Benachrichtigungskanäle',
  channelsKeywords: 'webhook discord slack telegram ntfy gotify matrix teams e-mail sammeln ruhe',
  keys: 'Konto: SSH-Schlüssel',
  keysKeywords: 'sftp öffentlicher schlüssel fingerabdruck dateien key',
})
