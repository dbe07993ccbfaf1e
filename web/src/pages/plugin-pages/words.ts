import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    group: 'Pages of plugins',
    missing: 'There is no such page',
    missingText: 'The plugin that had it was turned off or removed, or the page is not for you.',
    silent: 'The page does not start',
    silentText: 'Load it again. If that does not help, the plugin has a fault.',
    stopped: 'The page was stopped',
    stoppedText: 'It sent more messages than a page may.',
    again: 'Load again',
    busy: 'The page sends too many requests at once',
    notValid: 'A request of a page has to be JSON of at most 64 KiB',
    noSuchPath: 'There is no such page in the panel',
  },
  { de: () => import('./words.de.ts') },
)
