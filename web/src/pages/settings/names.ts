import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    settings: 'Settings',
    signUp: 'Settings: sign-up',
    signUpKeywords: 'registration captcha terms approval',
    security: 'Settings: security',
    securityKeywords: 'second factor addresses allow list',
    selfService: 'Settings: self-service',
    selfServiceKeywords: 'customers create servers',
    limits: 'Settings: limits',
    limitsKeywords: 'defaults quota',
    backups: 'Settings: backups',
    backupsKeywords: 'restic s3 bucket storage retention rotation',
    suspension: 'Settings: suspension',
    suspensionKeywords: 'abuse block ban appeals reasons templates',
    mail: 'Settings: mail',
    mailKeywords: 'smtp e-mail server sender',
    environment: 'Settings: environment',
    environmentKeywords: 'variables configuration',
  },
  { de: () => import('./names.de.ts') },
)
