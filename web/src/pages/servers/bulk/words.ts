import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue({
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  selected: 'Selected servers',
  countSelected: '{count, plural, one {# server} other {# servers}}',
  starting: 'starting',
  stopping: 'stopping',
  restarting: 'restarting',
  stopMany: 'Stop {count, plural, one {# server} other {# servers}}',
  restartMany: 'Restart {count, plural, one {# server} other {# servers}}',
  disconnectsMany: 'Everybody who is connected to them is disconnected.',
})
