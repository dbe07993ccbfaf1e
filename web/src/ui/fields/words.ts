import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    meaning: '= {amount}',
    writeLike: 'Write it like {example}',
    atMost: 'Must be at most {amount}',
    atLeast: 'Must be at least {amount}',
    sizeExample: '4 GiB or 512 MiB',
    cpuExample: '150% or 1.5 cores',
    cpuHelp: '100% is one core',
  },
  { de: () => import('./words.de.ts') },
)
