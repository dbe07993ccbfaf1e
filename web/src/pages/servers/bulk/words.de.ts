import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  start: 'Starten',
  stop: 'Stoppen',
  restart: 'Neu starten',
  selected: 'Ausgewählte Server',
  countSelected: '{count, plural, one {# Server ausgewählt} other {# Server ausgewählt}}',
  starting: 'Wird gestartet: {went} von {of}{refused, plural, =0 {} other {, # abgelehnt}}',
  stopping: 'Wird gestoppt: {went} von {of}{refused, plural, =0 {} other {, # abgelehnt}}',
  restarting: 'Wird neu gestartet: {went} von {of}{refused, plural, =0 {} other {, # abgelehnt}}',
  stopMany: '{count, plural, one {# Server} other {# Server}} stoppen',
  restartMany: '{count, plural, one {# Server} other {# Server}} neu starten',
  disconnectsMany: 'Alle bestehenden Verbindungen werden getrennt.',
})
