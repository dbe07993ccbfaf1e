import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    startNamed: 'Start {server}',
    stopNamed: 'Stop {server}',
    restartNamed: 'Restart {server}',
    killNamed: 'Kill {server}',
    disconnects: 'Everybody who is connected to it is disconnected.',
    losesUnsaved:
      'The process ends immediately, without saving. What it has not written to disk is lost.',
    paletteVerbs:
      'start stop restart kill back up move clone open show go to of the console screen server settings metrics network backups files upload',
    stateOnNode: '{state} · {node}',
    isStarting: '{server} is starting.',
    restartCancelled: '{server} is not restarted.',
    isStopped: '{server} is stopped.',
    isRestarting: '{server} is restarting.',
    isStopping: '{server} is stopping.',
    isKilled: '{server} is being killed.',
    backUpNamed: 'Back up {server}',
    isBackingUp: 'A backup of {server} is being made.',
    nodeAway: 'The node {node} is not connected',
    openBackupsOf: 'Open backups of {server}',
    openConsoleOf: 'Open console of {server}',
    openScreenOf: 'Open screen of {server}',
    openFilesOf: 'Open files of {server}',
    filesKeywords: 'upload download editor',
    openSettingsOf: 'Open settings of {server}',
    moveNamed: 'Move {server}',
    moveKeywords: 'migrate another node',
    cloneNamed: 'Clone {server}',
    openMetricsOf: 'Open metrics of {server}',
    openNetworkOf: 'Open network of {server}',
  },
  { de: () => import('./words.de.ts') },
)
