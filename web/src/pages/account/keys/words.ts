import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    lead: 'With an SSH key you reach the files of your servers by SFTP, without a password. The Files tab of each server shows how to connect. <link>Read about SSH keys</link>',
    sshKeys: 'SSH keys',
    noKeys: 'There is no key yet.',
    name: 'Name',
    nameHelp: 'Such as the machine that the key is on',
    nameMissing: 'Type a name first',
    publicKey: 'Public key',
    publicKeyHelp: 'The line of the file that ends in .pub, such as ~/.ssh/id_ed25519.pub',
    keyMissing: 'Paste the public key first',
    addKey: 'Add key',
    keyAdded: 'The key was added',
    removeQuestion: 'Remove {name}? Connections made with it end.',
    removeKey: 'Remove key',
    notRemoved: 'The key was not removed',
  },
  { de: () => import('./words.de.ts') },
)
