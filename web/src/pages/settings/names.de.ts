import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  settings: 'Einstellungen',
  signUp: 'Einstellungen: Registrierung',
  signUpKeywords: 'registrierung captcha nutzungsbedingungen freischaltung',
  security: 'Einstellungen: Sicherheit',
  securityKeywords: 'zweiter faktor adressen zulassungsliste',
  selfService: 'Einstellungen: Self-Service',
  selfServiceKeywords: 'kunden server erstellen selbstbedienung',
  limits: 'Einstellungen: Limits',
  limitsKeywords: 'standard voreinstellung kontingent quota',
  backups: 'Einstellungen: Backups',
  backupsKeywords: 'restic s3 bucket speicher aufbewahrung rotation sicherung',
  suspension: 'Einstellungen: Sperren',
  suspensionKeywords: 'missbrauch sperre bann einsprüche gründe vorlagen',
  mail: 'Einstellungen: E-Mail',
  mailKeywords: 'smtp e-mail mailserver absender',
  environment: 'Einstellungen: Umgebung',
  environmentKeywords: 'variablen konfiguration',
})
