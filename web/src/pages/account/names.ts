import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    account: 'Account',
    profile: 'Account: profile and preferences',
    profileKeywords: 'name language time zone density theme e-mail',
    security: 'Account: security',
    securityKeywords:
      'password passkey authenticator second factor devices sessions recovery codes',
    channels: 'Account: notification channels',
    channelsKeywords: 'webhook discord slack telegram ntfy gotify matrix teams mail digest quiet',
    keys: 'Account: SSH keys',
    keysKeywords: 'sftp public key fingerprint files',
  },
  { de: () => import('./names.de.ts') },
)
