import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  password: 'Passwort',
  credentialsMissing: 'Geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein',
  createAccount: 'Konto erstellen',
  forgot: 'Passwort vergessen?',
  recoveryCode: 'Wiederherstellungscode',
  code: 'Code',
  codeHelp: 'Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
  recoveryCodeHelp: 'Einer der Codes, die Sie beim Einrichten des Passkeys gespeichert haben',
  confirm: 'Bestätigen',
  goOn: 'Weiter',
  otherUser: 'Anderes Konto verwenden',
  email: 'E-Mail',
  usePasskey: 'Passkey verwenden',
  claim: 'Verlässliche Server auf Maschinen, die Ihnen gehören.',
  claimText:
    'Ein Panel für Container-Server und virtuelle Maschinen auf jedem Node, mit Live-Konsolen, Messwerten und Absturzverlauf.',
  colours: 'Farbschema',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',
  signInTitle: 'Bei {name} anmelden',
  confirmYou: 'Bestätigen Sie, dass Sie es sind',
  passkeyHttps: 'Passkeys brauchen HTTPS. Öffnen Sie das Panel unter seiner https://-Adresse.',
  passkeyName:
    'Passkeys brauchen einen Hostnamen. Öffnen Sie das Panel über seinen Namen, nicht über seine IP-Adresse.',
  passkeyBrowser: 'Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen aktuellen.',
  noPasskey: 'Es wurde kein Passkey gewählt',
})
