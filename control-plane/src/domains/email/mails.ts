import { defineMail, paragraphs } from '../../events/mails.ts'

export const testMail = defineMail({
  id: 'test',
  title: 'Test of the mail settings',
  opens: 'home',
  priority: 0,
  variables: {},
  subject: 'Mail from {{ panel.name }} works',
  body: paragraphs(
    'This mail tests the mail settings of {{ panel.name }}. You can read it, so they work.',
    '[Open panel]({{ link }})',
  ),
})

export const ownMails = [testMail]
