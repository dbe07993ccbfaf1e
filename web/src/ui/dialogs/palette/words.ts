import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    palette: 'Search and commands',
    search: 'Search servers, pages, commands',
    commands: 'Commands',
    searching: 'Searching…',
    nothing: 'Nothing matches “{text}”',
    keys: '<key>↑</key> <key>↓</key> choose <key>Enter</key> open or run',
    keysWithCommand:
      '<key>↑</key> <key>↓</key> choose <key>Enter</key> open or run <key>Ctrl Enter</key> show as curl',
    cancel: 'Cancel',
    busy: 'Working…',
    close: 'Close',
    back: 'Back to the commands',
  },
  { de: () => import('./words.de.ts') },
)
