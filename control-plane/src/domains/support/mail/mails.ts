import { defineMail, paragraphs } from '../../../events/mails.ts'
import { REPLY_ABOVE } from '../inbound/cut-quote.ts'

const samples = {
  subject: 'My server does not start',
  number: 'T-000123',
  url: 'https://panel.example.com/support/0190',
  above: REPLY_ABOVE,
}
const HOW = [
  '{% if above %}Answer this mail to write to us{% if url %}, or open the ticket in the panel{% endif %}.{% else %}{% if url %}Open the ticket in the panel to answer.{% endif %}{% endif %}',
  '{% if url %}[Open the ticket]({{ url }}){% endif %}',
]

export const ticketCreated = defineMail({
  id: 'ticket_created',
  title: 'A ticket was opened',
  priority: 1,
  variables: samples,
  subject: 'Re: {{ subject }}',
  body: [
    '{{ above }}',
    paragraphs('We have your message and will answer it. Its number is {{ number }}.', ...HOW),
  ].join('\n\n'),
})

export const ticketReply = defineMail({
  id: 'ticket_reply',
  title: 'The support answered a ticket',
  priority: 1,
  variables: { ...samples, message: 'Which version do you use? It says so in the console.' },
  subject: 'Re: {{ subject }}',
  body: ['{{ above }}', '{{ message }}', '{{ panel.name }}, {{ number }}', ...HOW].join('\n\n'),
})

/** For tickets solved without an answer; an answer that solves a ticket has its own mail. */
export const ticketSolved = defineMail({
  id: 'ticket_solved',
  title: 'A ticket was solved',
  priority: 1,
  variables: samples,
  subject: 'Re: {{ subject }}',
  body: [
    '{{ above }}',
    paragraphs(
      'Your ticket {{ number }} is marked as solved. If something is still open, answer and it opens again.',
      ...HOW,
    ),
  ].join('\n\n'),
})

export const ticketReminder = defineMail({
  id: 'ticket_reminder',
  title: 'A ticket waits for the customer',
  priority: 2,
  variables: samples,
  subject: 'Re: {{ subject }}',
  body: [
    '{{ above }}',
    paragraphs('Your ticket {{ number }} still waits for your answer.', ...HOW),
  ].join('\n\n'),
})

export const ticketRating = defineMail({
  id: 'ticket_rating',
  title: 'A customer is asked how the support was',
  priority: 2,
  variables: samples,
  subject: 'How was our support? ({{ number }})',
  body: paragraphs(
    'Your ticket “{{ subject }}” is solved. Please tell us how it went: it takes a moment.',
    '{% if url %}[Rate the support]({{ url }}){% endif %}',
  ),
})

/**
 * Sent to unproven addresses, so it says the same to all of them and quotes nothing of the report.
 */
export const abuseReceived = defineMail({
  id: 'abuse_received',
  title: 'A report of abuse was received',
  opens: 'reportStatus',
  once: 'sometimes',
  priority: 2,
  variables: { reference: 'AB-0123456789' },
  subject: 'We have your report ({{ reference }})',
  body: paragraphs(
    'Somebody reported abuse to {{ panel.name }} and gave this address. If it was you: we have the report and will look at it. Its reference is {{ reference }}.',
    'Every report is confirmed in these words, whatever it is about, and at most once a day for each address.',
    '{% if link %}This page shows how far it is, until {{ expires }}, and takes what you want to add:{% endif %}',
    '{% if link %}[See the report]({{ link }}){% endif %}',
    'If it was not you, ignore this mail.',
  ),
})

export const ticketMails = [
  ticketCreated,
  ticketReply,
  ticketSolved,
  ticketReminder,
  ticketRating,
  abuseReceived,
]
