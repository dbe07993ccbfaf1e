import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about channels, and test messages. */
export const t = catalogue(
  {
    disabled: 'The notification channel {channel} was disabled',
    why: '{reason, select, gone {The receiver says that it is gone. {last}.} failing {Nothing could be delivered for three days. Last: {last}.} other {Somebody used the link to unsubscribe in one of its mails.}}',
    ended: '{channel} takes no notifications any more',
    endedBody:
      'The permission was withdrawn there, or the data of the browser was cleared, so the channel was removed. To be told there again, turn it on in that browser.',
    styleLost: '{channel} is back in the built-in style',
    styleLostBody:
      'The style came with {plugin}, which was uninstalled. You can choose another one for the channel.',
    openPanel: 'Open panel',
    notifications: '{count, plural, one {# notification} other {# notifications}}',
    andMore: 'and {count} more',
    testTitle: 'Test message from {panel}',
    testBody: 'The notification channel {channel} works.',
  },
  { de: () => import('./words.de.ts') },
)
