import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    start: 'Start',
    stop: 'Stop',
    restart: 'Restart',
    selected: 'Selected servers',
    countSelected: '{count, plural, one {# server selected} other {# servers selected}}',
    starting: '{went} of {of} starting{refused, plural, =0 {} other {, # refused}}',
    stopping: '{went} of {of} stopping{refused, plural, =0 {} other {, # refused}}',
    restarting: '{went} of {of} restarting{refused, plural, =0 {} other {, # refused}}',
    stopMany: 'Stop {count, plural, one {# server} other {# servers}}',
    restartMany: 'Restart {count, plural, one {# server} other {# servers}}',
    disconnectsMany: 'Everybody who is connected to them is disconnected.',
  },
  { de: () => import('./words.de.ts') },
)
