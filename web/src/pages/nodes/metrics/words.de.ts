import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  cpu: 'CPU',
  memory: 'RAM',
  disk: 'Speicherplatz',
  notAdded: 'Noch nicht hinzugefügt',
  noData: 'Keine Daten',
  offline: 'Node offline',
  none: 'Keine Messwerte in diesem Zeitraum',
  noneText:
    'Messwerte werden aufgezeichnet, während der Node verbunden ist. Wählen Sie einen längeren Zeitraum.',
})
