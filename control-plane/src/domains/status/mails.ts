import { defineMail, paragraphs } from '../../events/mails.ts'

export const statusConfirm = defineMail({
  id: 'status_confirm',
  title: 'Confirm a subscription to the status page',
  priority: 0,
  variables: {
    confirm: 'https://panel.example.com/status/confirm?token=sample',
    until: '22 November 2026, 09:30 UTC',
  },
  subject: 'Get mail about the status of {{ panel.name }}?',
  body: paragraphs(
    'Somebody asked for mail about incidents and maintenance of {{ panel.name }} to this address. Nothing is sent before you confirm it.',
    '[Confirm this address]({{ confirm }})',
    'The link works until {{ until }}. If you did not ask for this, ignore this mail.',
  ),
})

export const statusUpdate = defineMail({
  id: 'status_update',
  title: 'News of the status page',
  priority: 2,
  variables: {
    title: 'Servers in Zurich are not reachable',
    state: 'Identified',
    components: 'Zurich',
    text: 'A switch has failed. It is being replaced.',
    page: 'https://panel.example.com/status',
    unsubscribe: 'https://panel.example.com/status/unsubscribe?token=sample',
  },
  subject: '{{ state }}: {{ title }}',
  body: paragraphs(
    '{{ text }}',
    '{% if components %}Affected: {{ components }}.{% endif %}',
    '[Open status page]({{ page }})',
    'You get this mail because this address subscribes to the status page. Stop these mails: {{ unsubscribe }}',
  ),
})

export const statusMails = [statusConfirm, statusUpdate]
