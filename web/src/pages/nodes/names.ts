import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  { nodes: 'Nodes', addNode: 'Add node' },
  { de: () => import('./names.de.ts') },
)
