import { defineMail, type Letters, letter, paragraphs } from '../../events/mails.ts'

const sshKeyAdded = defineMail({
  id: 'ssh_key_added',
  title: 'An SSH key was added',
  opens: 'forgot',
  priority: 0,
  security: true,
  variables: {
    key: 'My laptop',
    fingerprint: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
  },
  subject: 'An SSH key was added to your account',
  body: paragraphs(
    'An SSH key was just added to your account at {{ panel.name }}: “{{ key }}” ({{ fingerprint }}). It opens the files of your servers by SFTP.',
    'If this was not you, choose a new password now. This signs out all your devices and removes your SSH keys.',
    '[Choose a new password]({{ link }})',
  ),
})

export const sftpMails = [sshKeyAdded]

/** Which events send mail. */
export const sftpLetters: Letters = {
  'account.ssh_key_added': ({ userId, email: to, name: key, fingerprint }) =>
    letter(sshKeyAdded, { to, userId, variables: { key, fingerprint } }),
}
