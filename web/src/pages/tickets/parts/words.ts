import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    status:
      '{status, select, new {New} open {Open} pending {Pending} on_hold {On hold} solved {Solved} closed {Closed} other {}}',
    ownStatus:
      '{status, select, new {Received} open {With support} pending {Waits for you} on_hold {On hold} solved {Solved} closed {Closed} other {}}',
    priority: '{priority, select, low {Low} normal {Normal} high {High} urgent {Urgent} other {}}',
    conversation: 'Conversation',
    unread: 'Unread:',
    byline: '<author></author> <written></written>',
    you: 'You',
    host: 'Support',
    withoutAddress: 'Anonymous',
    formerPerson: 'Removed account',
    system: 'The panel',
    note: 'Internal note',
    held: 'Held back',
    heldHelp: 'The customer sees it once somebody accepts it.',
    byMail: 'by mail',
    verified: 'Sender verified by {domain}',
    unverified: 'Sender not verified',
    unverifiedHelp: 'The mail came from another address, or its sender could not be verified.',
    knownAddress: 'Known by the reply address',
    checks:
      '{by, select, bridge {Checked by the mail bridge.} other {Checked by the panel.}} Signature (DKIM): {dkim, select, pass {valid} fail {not valid} temperror {unknown} other {none}}. Server (SPF): {spf, select, pass {allowed} fail {not allowed} other {unknown}}. Policy of the domain (DMARC): {dmarc, select, pass {passed} fail {failed} temperror {unknown} other {none}}.',
    edited: 'edited',
    attachHelp:
      'Pictures, videos, PDF, texts such as logs, and archives, up to {size} each. They can be pasted and dropped, too.',
    draftSaved: 'Draft saved',
    draftSaving: 'Saving the draft…',
    draftHere: 'Draft kept in this browser',
    draftElsewhere: 'You wrote another draft in a different window',
    draftElsewhereText: 'Both are kept. Insert it below your text, or discard it.',
    insertDraft: 'Insert it',
    dropDraft: 'Discard it',
    peopleTitle: 'People in copy',
    peopleText: 'They get every answer by mail and can reply. They never get internal notes.',
    peopleLabel: 'E-mail addresses',
    peopleSave: 'Save addresses',
    peopleSaved: 'Addresses saved',
    writeFirst: 'Write something first',
  },
  { de: () => import('./words.de.ts') },
)
