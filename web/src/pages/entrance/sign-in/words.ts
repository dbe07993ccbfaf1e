import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    password: 'Password',
    credentialsMissing: 'Enter your e-mail address and password',
    createAccount: 'Create account',
    forgot: 'Forgot your password?',
    recoveryCode: 'Recovery code',
    code: 'Code',
    codeHelp: 'Six digits from your authenticator app, or a recovery code',
    recoveryCodeHelp: 'One of the codes you saved when you set up the passkey',
    confirm: 'Confirm',
    goOn: 'Continue',
    otherUser: 'Use another account',
    email: 'E-mail',
    usePasskey: 'Use a passkey',
    claim: 'Servers that stay up.',
    claimText: 'Consoles, files, backups and metrics of all your servers in one place, live.',
    colours: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
    signInTitle: 'Sign in to {name}',
    confirmYou: 'Confirm that it’s you',
    passkeyHttps: 'Passkeys need HTTPS. Open the panel at its https:// address.',
    passkeyName: 'Passkeys need a host name. Open the panel by its name, not by its IP address.',
    passkeyBrowser: 'This browser does not support passkeys. Use a current one.',
    noPasskey: 'No passkey was chosen',
    passkeyNotUsed:
      'No passkey was used: you cancelled, it took too long, or this device has none of yours. Try again, or use a code.',
  },
  { de: () => import('./words.de.ts') },
)
