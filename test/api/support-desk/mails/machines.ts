import type { Automatic } from '../../../../control-plane/src/domains/support/inbound/automatic.ts'
import { joined, mail, OURS, PLAIN, part, type Sample } from './sample.ts'

/** Fields by which an automatic sender identifies itself. */
const SAID: readonly (readonly [what: string, fields: Record<string, string>, is?: Automatic])[] = [
  [
    'Exchange that is out of office',
    { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    'auto_reply',
  ],
  ['Gmail on vacation', { Precedence: 'bulk', 'X-Autoreply': 'yes' }, 'auto_reply'],
  ['the vacation program', { 'Auto-Submitted': 'auto-replied (vacation)' }, 'auto_reply'],
  ['Sieve (RFC 5230)', { 'Auto-Submitted': 'auto-replied' }, 'auto_reply'],
  ['cron', { 'Auto-Submitted': 'auto-generated', 'X-Cron-Env': '<LANG=C>' }, 'auto_reply'],
  [
    'a notification (RFC 5436)',
    { 'Auto-Submitted': 'auto-notified; owner-email="a@b.example"' },
    'auto_reply',
  ],
  ['cPanel', { 'X-Autorespond': 'Re: My server stops' }, 'auto_reply'],
  ['Plesk', { Precedence: 'auto_reply' }, 'auto_reply'],
  ['a desk like ours', { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }, 'auto_reply'],
  ['Mailman', { 'List-Id': 'Users <users.example.org>', Precedence: 'list' }, 'bulk'],
  [
    'a newsletter',
    { 'List-Id': '<news.example.org>', 'List-Unsubscribe': '<https://example.org/u>' },
    'bulk',
  ],
  ['a mass mailing', { Precedence: 'bulk' }, 'bulk'],
  ['old junk', { Precedence: 'junk' }, 'bulk'],
  [
    'Google Groups',
    { 'List-ID': '<users.googlegroups.com>', 'Mailing-list': 'list users@googlegroups.com' },
    'bulk',
  ],
  [
    'a mail server without a report',
    { From: 'MAILER-DAEMON@mx.example.org', 'Return-Path': '<>' },
    'bounce',
  ],
  ['a postmaster', { From: 'Mail Delivery System <postmaster@example.org>' }, 'bounce'],
  ['qmail', { 'Return-Path': '<>', From: 'ann@example.org' }, 'bounce'],
  // People whose programs write the same fields.
  ['somebody who says that they are nobody', { 'Auto-Submitted': 'no' }],
  ['somebody with a suppressing program', { 'X-Auto-Response-Suppress': 'None' }],
  ['somebody of urgency', { Precedence: 'first-class', Importance: 'high', 'X-Priority': '1' }],
  ['somebody who wants a receipt', { 'Disposition-Notification-To': 'ann@example.org' }],
]

/** A delivery report about our mail (RFC 3464), as mail servers write it. */
function report(
  what: string,
  given: { border: string; status: string; human: string; returned?: string },
): Sample {
  const { border, status, human, returned = 'text/rfc822-headers' } = given
  const parts = [
    part({ 'Content-Type': 'text/plain; charset=us-ascii' }, human),
    part(
      { 'Content-Type': 'message/delivery-status' },
      `Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: ${status}`,
    ),
    part(
      { 'Content-Type': returned },
      `From: support@desk.example.com\nTo: ann@example.org\nMessage-ID: ${OURS}\nSubject: Re: My server stops${returned === 'message/rfc822' ? '\n\nCould you try 4 GiB?' : ''}`,
    ),
  ]
  return {
    what: `a report of ${what}`,
    raw: mail(
      {
        ...{ From: 'Mail Delivery System <MAILER-DAEMON@mx.example.org>', 'Return-Path': '<>' },
        ...{ Subject: 'Undelivered Mail Returned to Sender', 'In-Reply-To': '', References: '' },
        'Content-Type': `multipart/report; report-type=delivery-status; boundary="${border}"`,
        'Auto-Submitted': 'auto-replied',
      },
      joined(border, ...parts),
    ),
    ...{ automatic: 'bounce', answers: [OURS] },
  }
}

const FAILED = 'could not be delivered to one or more recipients.'

export const MACHINES: readonly Sample[] = [
  ...SAID.map(([what, fields, automatic]) => ({
    ...{ what, raw: mail({ ...PLAIN, ...fields }, 'I am away until Monday.') },
    text: 'I am away until Monday.',
    ...(automatic && { automatic }),
  })),
  report('Postfix', {
    border: '4XkB.1/mx.example.org',
    status: '5.1.1',
    human: `I'm sorry to have to inform you that your message ${FAILED}`,
  }),
  report('Exim', {
    border: '1kXyZ-eximdsn',
    status: '5.0.0',
    human: `A message that you sent ${FAILED}`,
    returned: 'message/rfc822',
  }),
  report('Exchange', {
    border: '_000_x_',
    status: '5.1.10',
    human: `Your message to ann@example.org ${FAILED}`,
    returned: 'message/rfc822',
  }),
  report('Gmail', {
    border: '000000000000x',
    status: '5.2.2',
    human: `The recipient's inbox is out of storage space. It ${FAILED}`,
    returned: 'message/rfc822',
  }),
  report('sendmail', {
    border: 'tAG9xyz.123/mx.example.org',
    status: '5.1.2',
    human: `The original message ${FAILED}`,
  }),
  report('a full mailbox', { border: 'b', status: '4.2.2', human: `The mail ${FAILED}` }),
  {
    what: 'a receipt that it was read (RFC 8098)',
    raw: mail(
      {
        'Content-Type':
          'multipart/report; report-type=disposition-notification; boundary="RAA14128.773615765/example.org"',
        Subject: 'Read: My server stops',
      },
      joined(
        'RAA14128.773615765/example.org',
        part(PLAIN, 'The message was displayed.'),
        part(
          { 'Content-Type': 'message/disposition-notification' },
          `Final-Recipient: rfc822;ann@example.org\nOriginal-Message-ID: ${OURS}\nDisposition: manual-action/MDN-sent-manually; displayed`,
        ),
      ),
    ),
    automatic: 'auto_reply',
  },
]
