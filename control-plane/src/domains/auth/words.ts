import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about accounts. */
export const t = catalogue(
  {
    passwordChanged: 'Your password was changed',
    passwordChangedFrom: 'From {device} at {address}. All other devices were signed out.',
    factorsChanged: 'Your second factors were changed',
    factorChange:
      '{change, select, totpAdded {An authenticator was added} totpRemoved {The authenticator was removed} passkeyAdded {A passkey was added} removedByHost {The host removed all of them} removedByCommand {A command on the panel’s machine removed all of them} other {A passkey was removed}}',
    codeUsed: 'A recovery code was used',
    codeUsedFrom: 'From {address}. Codes left: {left}.',
    newDevice: 'Sign-in from a new device',
    newDeviceAt: '{device} at {address}. If this was not you, change your password.',
    tokenCreated: 'An API token was created',
    tokenName: 'Its name is {name}. It acts in your name.',
  },
  { de: () => import('./words.de.ts') },
)
