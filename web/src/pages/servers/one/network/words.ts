import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    tcp: 'TCP',
    udp: 'UDP',
    both: 'TCP and UDP',
    enterPort: 'Enter a port',
    addPort: 'Add port',
    inside: 'Port inside the server',
    insideHelp: 'The port that the program listens on',
    protocol: 'Protocol',
    nameOptional: 'Name (optional)',
    exampleName: 'Map',
    portInside: 'Port inside',
    guestPort: 'Forwards to port',
    address: 'Address',
    addressAndPort: '{address}:{port}',
    copyAddress: 'Copy the address with port {port}',
    use: 'Use',
    primary: 'Primary',
    noName: 'no name',
    actions: 'Actions',
    removeOne: 'Remove port {port}',
    primaryStays: 'The primary port cannot be removed',
    ports: 'Ports',
    aboutPorts: 'These ports are open on {node}. Changes take effect at the next start.',
    aboutMachinePorts:
      'These ports are open on {node}. Set below which ports of the guest they forward to.',
    remove: 'Remove port',
    removeText:
      'After the next start, nobody can reach this server at {address}, and another server may get the port.',
    removeMachineText:
      'Nobody can reach this server at {address} any more, and another server may get the port.',
  },
  { de: () => import('./words.de.ts') },
)
