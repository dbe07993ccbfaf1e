import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    noAnswer: 'No answer from the panel',
    answerWas:
      'It may be restarting. Try again in a minute. What came instead was {status} {text}.',
    notReached: 'The panel could not be reached. Check your connection and try again.',
    notFound: 'Page not found',
    notFoundText: 'There is nothing at this address',
    toStart: 'Go to the start page',
    crashed: 'This page cannot be shown',
  },
  { de: () => import('./words.de.ts') },
)
