import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    cpu: 'CPU',
    memory: 'Memory',
    disk: 'Disk',
    notAdded: 'Not added yet',
    noData: 'No data',
    offline: 'Node offline',
    none: 'No metrics in this time',
    noneText: 'Metrics are recorded while the node is connected. Choose a longer time.',
  },
  { de: () => import('./words.de.ts') },
)
