import { defineMail, paragraphs } from '../../../control-plane/src/events/mails.ts'

export const hello = defineMail({
  id: 'hello',
  title: 'A greeting',
  opens: 'home',
  priority: 2,
  variables: { text: 'Hello, Ada' },
  subject: '{{ text }}',
  body: paragraphs('somebody says: {{ text }}.', '[Open panel]({{ link }})'),
})
