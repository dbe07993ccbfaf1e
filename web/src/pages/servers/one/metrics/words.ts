import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    noMetrics: 'No metrics for this time',
    notCreatedText: 'The server did not exist yet. Choose a later time.',
    stoppedText: 'The server was stopped. Start it, or choose a longer time.',
    nodeOfflineText: 'Its node was offline. Metrics return when the node is connected again.',
    unknownText: 'Metrics are recorded while the server runs. Choose a longer time.',
    openHistory: 'Open history',
    notCreated: 'Not created yet',
    stopped: 'Server stopped',
    nodeOffline: 'Node offline',
    unknown: 'No data',
    cpu: 'CPU',
    network: 'Network',
    received: 'Received',
    sent: 'Sent',
    disk: 'Disk',
    noteSentence: '{note}.',
    restart: 'Restart {attempt} of {most} in {seconds} s',
    reinstalled: 'Reinstalled',
    snapshot: 'Snapshot',
  },
  { de: () => import('./words.de.ts') },
)
