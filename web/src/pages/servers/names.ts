import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    servers: 'Servers',
    newServer: 'New server',
    overview: 'Overview',
    console: 'Console',
    backups: 'Backups',
    network: 'Network',
    startup: 'Startup',
    metrics: 'Metrics',
    crashes: 'Crashes',
    sharing: 'Sharing',
    settings: 'Settings',
  },
  { de: () => import('./names.de.ts') },
)
