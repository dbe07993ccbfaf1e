import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  tcp: 'TCP',
  udp: 'UDP',
  both: 'TCP und UDP',
  enterPort: 'Geben Sie einen Port ein',
  addPort: 'Port hinzufügen',
  inside: 'Port im Server',
  insideHelp: 'Der Port, auf dem das Programm lauscht',
  protocol: 'Protokoll',
  nameOptional: 'Name (optional)',
  exampleName: 'Map',
  portInside: 'Interner Port',
  guestPort: 'Zielport',
  address: 'Adresse',
  addressAndPort: '{address}:{port}',
  copyAddress: 'Adresse mit Port {port} kopieren',
  use: 'Zweck',
  primary: 'Hauptport',
  noName: 'ohne Namen',
  actions: 'Aktionen',
  removeOne: 'Port {port} entfernen',
  primaryStays: 'Der Hauptport kann nicht entfernt werden',
  ports: 'Ports',
  aboutPorts: 'Diese Ports sind auf {node} offen. Änderungen gelten ab dem nächsten Start.',
  aboutMachinePorts:
    'Diese Ports sind auf {node} offen. Legen Sie unten fest, wohin sie im Gast führen.',
  remove: 'Port entfernen',
  removeText:
    'Nach dem nächsten Start ist dieser Server unter {address} nicht mehr erreichbar, und ein anderer Server könnte den Port erhalten.',
  removeMachineText:
    'Dieser Server ist unter {address} nicht mehr erreichbar, und ein anderer Server könnte den Port erhalten.',
})
