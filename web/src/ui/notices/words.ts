import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    panelFailed: 'Something went wrong in the panel',
    tryAgain: 'Try again',
    request: 'Request <id></id>',
    copyRequestId: 'Copy request ID',
    closeMessage: 'Close message',
    close: 'Close',
    checkConnection: 'Check your connection, then reload the page.',
  },
  { de: () => import('./words.de.ts') },
)
