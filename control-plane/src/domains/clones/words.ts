import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about clones. */
export const t = catalogue(
  {
    givenUp: 'The clone {clone} was given up',
    ownMachineLost:
      'The machine it was to be on is lost. Nothing is left of it, and the server it was made from is as it was. Ask your host to clone that server again.',
    originalLost:
      'The machine of the server it was made from is lost, so its files could not be copied. Nothing is left of the clone. Ask your host to clone a backup of that server.',
    notCloned: '{clone} was not cloned',
    targetLost:
      '{node}, which it was to be on, is lost. Nothing is left of the clone. Make it again on a node that is connected.',
    sourceLost:
      '{node}, which has the original, is lost. Nothing is left of the clone. Clone one of its backups, or wait until {node} is back.',
  },
  { de: () => import('./words.de.ts') },
)
