import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What the public page, its feed and its mails say besides the texts of the host. */
export const t = catalogue(
  {
    title: '{name} status',
    stateOf:
      '{state, select, investigating {Investigating} identified {Identified} monitoring {Monitoring} resolved {Resolved} scheduled {Scheduled} in_progress {In progress} completed {Completed} other {Cancelled}}',
    healthOf:
      '{state, select, operational {Operational} degraded {Slow} partial {Partial outage} outage {Outage} maintenance {Maintenance} other {Not measured}}',
    impactOf: '{impact, select, degraded {Slow} partial {Partial outage} other {Outage}}',
    overall:
      '{state, select, operational {Everything works} degraded {Some things are slow} partial {Some things do not work} outage {There is an outage} maintenance {Maintenance is under way} other {Some things cannot be measured now}}',
    openIncident: 'There is an open incident',
    isOld: 'What is new cannot be read at present. This page shows what was known at {at}.',
    asOf: 'As of <at></at>',

    // Frame
    status: 'Status',
    openPanel: 'Open panel',
    terms: 'Terms',
    privacy: 'Privacy',
    imprint: 'Imprint',
    history: 'History',
    feed: 'Feed',

    // Sections
    now: 'Now',
    planned: 'Planned maintenance',
    components: 'Components',
    lastDays: 'Last {days} days',
    nothingRecent: 'No incidents and no maintenance.',
    toHistory: 'All of the last {days} days',
    historyIntro: 'Incidents and maintenance of the last {days} days.',
    nothingAtAll: 'There were none.',
    backToPresent: 'Back to the present state',
    since: 'Since <start></start>',
    between: '<start></start> to <end></end>',

    // Components
    daysOf: 'Each day of {name}, the last {days} days',
    daysAgo: '{days} days ago',
    today: 'Today',
    uptime: '{percent, number}% uptime',
    noUptime: 'Not measured yet',
    dayAnd: '{day}: {what}',
    unmeasured: 'not measured',
    downFor: 'down for {time}',
    maintenanceFor: 'maintenance for {time}',
    unmeasuredFor: '{time} not measured',
    slow: 'up, but slow at times',
    upAllDay: 'up all day',
    badDays: 'Days with outages or maintenance ({days})',
    days: 'Days',
    day: 'Day',
    down: 'Down',
    maintenance: 'Maintenance',
    notMeasured: 'Not measured',
    legendUp: 'Up',
    legendPartial: 'Slow or partial outage',
    legendOutage: 'Outage',
    howCounted: 'How uptime is counted',
    counted:
      'Once a minute the panel records what it knows of each component. A minute counts as up if everything in the component worked, if slowly, and as down if some or all of it did not work. Minutes of planned maintenance are shown apart and count for neither. A minute in which nothing could be measured is shown as not measured and never counts as up; a part that has just gone silent is not measured for up to a minute, since it may only be restarting. Uptime is the minutes that were up, divided by those that were up or down, rounded down.',

    // Subscriptions
    news: 'Stay informed',
    address: 'E-mail address',
    getMail: 'Get mail',
    getMailText:
      'You get mail about incidents and maintenance, once you have confirmed your address.',
    followFeed: 'Follow by feed (Atom)',
    confirmTitle: 'Get mail about incidents?',
    confirmText: 'This address is to get mail about incidents and maintenance from {page}.',
    confirm: 'Confirm address',
    leaveTitle: 'End the mail?',
    leaveText: 'This address gets no more mail from {page}, and is deleted here.',
    leave: 'End mail',
    backToPage: 'Back to the status page',
    resultTitle:
      '{result, select, asked {Check your mailbox} address {This is not an e-mail address} full {No further subscriptions at present} confirmed {You are subscribed} expired {This link no longer works} broken {This link is not complete} other {You get no more mail}}',
    resultText:
      '{result, select, asked {If this address does not get mail from this page yet, a link is on its way to it. Mail begins once you have opened the link.} address {Go back and check how it is written.} full {Use the feed of the page instead.} confirmed {You get mail about incidents and maintenance. Each mail has a link that ends it.} expired {It was used or has expired. Subscribe again on the status page.} broken {Open the link in the mail again, or copy all of it.} other {Your address has been deleted from this page.}}',
  },
  { de: () => import('./words.de.ts') },
)
