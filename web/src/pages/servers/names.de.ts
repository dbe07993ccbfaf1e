import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  servers: 'Server',
  newServer: 'Neuer Server',
  overview: 'Übersicht',
  console: 'Konsole',
  backups: 'Backups',
  network: 'Netzwerk',
  startup: 'Start',
  metrics: 'Messwerte',
  crashes: 'Abstürze',
  sharing: 'Freigabe',
  settings: 'Einstellungen',
})
