import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    cordonNamed: 'Cordon {node}',
    uncordonNamed: 'Uncordon {node}',
    cordonKeywords: 'maintenance drain no new servers',
    isCordoned: '{node} takes no new servers.',
    isUncordoned: '{node} takes new servers again.',
    openServersOf: 'Open servers of {node}',
    openMetricsOf: 'Open metrics of {node}',
    openChecksOf: 'Open checks of {node}',
    openLogOf: 'Open agent log of {node}',
  },
  { de: () => import('./words.de.ts') },
)
