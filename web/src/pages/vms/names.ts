import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    screen: 'Screen',
    serial: 'Serial',
    hardware: 'Hardware',
    snapshots: 'Snapshots',
    move: 'Move',
  },
  { de: () => import('./names.de.ts') },
)
