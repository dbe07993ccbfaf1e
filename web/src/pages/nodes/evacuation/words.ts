import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    plan: 'Move all servers away',
    planLabel: 'What would happen to each server',
    lead: 'The node takes no new servers, and those on it move to other nodes, a few at a time. Each runs while its files are copied and is off only for the last changes. A virtual machine is off while its disks are copied: one that runs is stopped for that, and started again on its new node. Whatever cannot move stays here.',
    server: 'Server',
    size: 'Size',
    target: 'Moves to',
    takes: 'Takes about',
    off: 'Off for about',
    targetPlace: '{node} ({location})',
    stays: 'Stays here',
    stops: 'Runs: it is stopped for the move, and started again afterwards',
    stopMachines:
      '{count, plural, one {Stop the virtual machine that runs} other {Stop the # virtual machines that run}}, move, and start again afterwards; off for about {longest} at most',
    backupsLeft: '{count, plural, one {# backup} other {# backups}} only on this node',
    unknown: 'Unknown',
    empty: 'No servers',
    emptyText: 'There is nothing to move away from this node.',
    evacuate: '{count, plural, one {Move # server} other {Move # servers}}',
    nothingMoves: 'None of the servers can move now',
    running: 'The servers are moving already',
    title: 'Move all servers away from {node}',
    question:
      '{count, plural, one {# server moves} other {# servers move}} to other nodes. Containers are off for a moment, virtual machines while their disks are copied, and ports may change. The node takes no new servers until you uncordon it.',
    staying:
      '{count, plural, one {# server stays} other {# servers stay}} here, for the reason that the table shows.',
    runningStay:
      '{count, plural, one {The virtual machine that runs stays} other {The # virtual machines that run stay}} here.',
    parallel: 'Servers at once',
    parallelHelp: 'More at once is faster, but slows down everything else on the nodes.',
    agreeBackups:
      '{count, plural, one {Also move the server whose backups} other {Also move the # servers whose backups}} only this node keeps; they can then be downloaded, but not restored',
    latest: 'Latest evacuation',
    latestLabel: 'Result for each server',
    standing: '{moved} of {total} moved, begun <when></when>',
    newNode: 'New node',
    viewJob: 'View job',
    result: 'Result',
    waiting: 'Waiting',
    moving: 'Moving',
    moved: 'Moved',
    failed: 'Failed',
    blocked: 'Stayed',
    cancelled: 'Cancelled',
  },
  { de: () => import('./words.de.ts') },
)
