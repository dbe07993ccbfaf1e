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
  claim: 'Server, auf die Verlass ist.',
  claimText: 'Konsolen, Dateien, Backups und Messwerte all Ihrer Server an einem Ort, live.',
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
  passkeyNotUsed:
    'Kein Passkey wurde verwendet: Sie haben abgebrochen, es hat zu lange gedauert, oder auf diesem Gerät ist keiner von Ihnen. Versuchen Sie es noch einmal, oder verwenden Sie einen Code.',
})
