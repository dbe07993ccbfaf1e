import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    sftp: 'SFTP',
    lead: 'Reach these files with a program of your own. <link>Read about SFTP</link>',
    off: 'SFTP is off',
    offText: 'This installation has no SFTP: upload and download files in the panel.',
    notAllowed: 'SFTP is not available for this server',
    notAllowedText:
      'Its plan or the limits of its owner do not include SFTP, or the server is suspended or about to be deleted.',
    host: 'Host',
    port: 'Port',
    userName: 'User name',
    hostKey: 'Host key',
    copyHost: 'Copy the host',
    copyPort: 'Copy the port',
    copyUserName: 'Copy the user name',
    copyHostKey: 'Copy the fingerprint of the host key',
    command: 'Command',
    password: 'Password',
    noPassword:
      'You have no SFTP password for this server. The password of your account does not work here.',
    passwordMade: 'Your SFTP password for this server was created <when></when>',
    passwordUsed: 'Your SFTP password for this server was last used <when></when>',
    makePassword: 'Create password',
    renew: 'New password…',
    renewQuestion:
      'Create a new password? The current one stops working, and connections made with it end.',
    renewPassword: 'Create new password',
    remove: 'Remove…',
    removeQuestion: 'Remove the password? Connections made with it end.',
    removePassword: 'Remove password',
    copyNow: 'Copy the password now: it is not shown again',
    notMade: 'Could not create the password',
    notRemoved: 'Could not remove the password',
    keys: '{count, plural, =0 {Your account has no SSH key.} one {Your account has # SSH key.} other {Your account has # SSH keys.}}',
    manageKeys: 'Manage SSH keys',
  },
  { de: () => import('./words.de.ts') },
)
