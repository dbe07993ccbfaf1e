import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    noAnswer: 'No answer from the control plane',
    answerWas: 'The answer was {status} {text}',
    notReached: 'The control plane could not be reached. Check your connection and try again.',
    notFound: 'Page not found',
    notFoundText: 'There is nothing at this address',
    toStart: 'Go to the start page',
    crashed: 'This page cannot be shown',
  },
  { de: () => import('./words.de.ts') },
)
