import type { Impact, ShownState } from '@lodge/shared/status.ts'

/** How the public page names what a component can be. */
export const HEALTH_WORDS: Readonly<Record<ShownState, string>> = {
  operational: 'Operational',
  degraded: 'Slow',
  partial: 'Partial outage',
  outage: 'Outage',
  maintenance: 'Maintenance',
  unknown: 'Not measured',
}

/** ... and how it is with all of them. */
export const OVERALL_WORDS: Readonly<Record<ShownState, string>> = {
  operational: 'Everything works',
  degraded: 'Some things are slow',
  partial: 'Some things do not work',
  outage: 'There is an outage',
  maintenance: 'Maintenance is under way',
  unknown: 'Some things cannot be measured now',
}

export const IMPACT_WORDS: Readonly<Record<Impact, string>> = {
  degraded: 'Slow',
  partial: 'Partial outage',
  outage: 'Outage',
}

/** What a form of the page came to. */
export const RESULTS = {
  asked: {
    title: 'Check your mailbox',
    text: 'If this address does not get mail from this page yet, a link is on its way to it. Mail begins once you have opened the link.',
  },
  address: {
    title: 'This is not an e-mail address',
    text: 'Go back and check how it is written.',
  },
  full: {
    title: 'No further subscriptions at present',
    text: 'Use the feed of the page instead.',
  },
  confirmed: {
    title: 'You are subscribed',
    text: 'You get mail about incidents and maintenance. Each mail has a link that ends it.',
  },
  expired: {
    title: 'This link no longer works',
    text: 'It was used or has expired. Subscribe again on the status page.',
  },
  broken: {
    title: 'This link is not complete',
    text: 'Open the link in the mail again, or copy all of it.',
  },
  ended: {
    title: 'You get no more mail',
    text: 'Your address has been deleted from this page.',
  },
} as const
