import { germanParagraphs as paragraphs } from '../../../events/mails.ts'

const HOW = [
  '{% if above %}Antworten Sie auf diese E-Mail, um uns zu schreiben{% if url %}, oder öffnen Sie das Ticket im Panel{% endif %}.{% else %}{% if url %}Öffnen Sie das Ticket im Panel, um zu antworten.{% endif %}{% endif %}',
  '{% if url %}[Ticket öffnen]({{ url }}){% endif %}',
]

/** The German wording of the mails about tickets, by their ids. */
export const ticketMailsInGerman = {
  ticket_created: {
    subject: 'Re: {{ subject }}',
    body: [
      '{{ above }}',
      paragraphs(
        'Wir haben Ihre Nachricht erhalten und werden sie beantworten. Sie hat die Nummer {{ number }}.',
        ...HOW,
      ),
    ].join('\n\n'),
  },
  ticket_reply: {
    subject: 'Re: {{ subject }}',
    body: ['{{ above }}', '{{ message }}', '{{ panel.name }}, {{ number }}', ...HOW].join('\n\n'),
  },
  ticket_solved: {
    subject: 'Re: {{ subject }}',
    body: [
      '{{ above }}',
      paragraphs(
        'Ihr Ticket {{ number }} gilt als gelöst. Falls noch etwas offen ist, antworten Sie: Damit wird es wieder geöffnet.',
        ...HOW,
      ),
    ].join('\n\n'),
  },
  abuse_received: {
    subject: 'Wir haben Ihre Meldung ({{ reference }})',
    body: paragraphs(
      'Jemand hat {{ panel.name }} Missbrauch gemeldet und diese Adresse angegeben. Falls Sie das waren: Wir haben die Meldung und gehen ihr nach. Ihr Zeichen ist {{ reference }}.',
      'Jede Meldung wird mit diesen Worten bestätigt, wovon sie auch handelt, und höchstens einmal am Tag für jede Adresse.',
      '{% if link %}Diese Seite zeigt bis {{ expires }}, wie weit sie ist, und nimmt Ergänzungen an:{% endif %}',
      '{% if link %}[Zur Meldung]({{ link }}){% endif %}',
      'Falls Sie es nicht waren, beachten Sie diese E-Mail nicht.',
    ),
  },
  ticket_reminder: {
    subject: 'Re: {{ subject }}',
    body: [
      '{{ above }}',
      paragraphs('Ihr Ticket {{ number }} wartet noch auf Ihre Antwort.', ...HOW),
    ].join('\n\n'),
  },
  ticket_rating: {
    subject: 'Wie war unser Support? ({{ number }})',
    body: paragraphs(
      'Ihr Ticket „{{ subject }}“ ist gelöst. Sagen Sie uns, wie es lief: Es dauert nur einen Moment.',
      '{% if url %}[Support bewerten]({{ url }}){% endif %}',
    ),
  },
} as const
