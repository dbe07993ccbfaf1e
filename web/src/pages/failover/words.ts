import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    failover: 'Failover',
    lead: 'What the loss of a node would cost. The servers of a silent node stay there until somebody declares it dead, unless the node fails over by itself.',
    whenLost: 'When it is silent',
    waitsForPerson: 'Waits for a person',
    failsOver: 'Fails over by itself',
    switchesOff: 'Is switched off first',
    switchedOffFirst:
      '{servers, plural, one {# server waits until it is off} other {# servers wait until it is off}}',
    switchingOff: 'Being switched off',
    isOff: 'Seen to be off <when></when>',
    notOff: 'Not switched off: {why}. Next try <when></when>',
    guardedOf: '{guarded} of {auto, plural, one {# server} other {# servers}} guarded',
    chosen: 'Chosen <when></when>',
    takenOver: 'Taken over <when></when>',
    takeoverIn: 'Taken over in {duration}',
    stopped: 'Nothing is taken over now',
    runTakenOver:
      'Taken over <when></when>. {total, plural, =0 {It had no server to bring back.} one {{done} of # server brought back.} other {{done} of # servers brought back.}}',
    mode: 'When its node is silent',
    modeOf: 'What {server} does when its node is silent',
    asNode: 'As its node',
    pinned: 'Waits',
    auto: 'Fails over',
    stonith: 'Fails over once it is off',
    notGuardedYet: 'Not guarded yet',
    staysPinned: 'Waits for a person. {why}.',
    machinesWait:
      '{count, plural, one {# virtual machine waits} other {# virtual machines wait}} for a person. {why}.',
    ifLost: 'If a node is lost',
    nodes: 'Nodes',
    noNodes: 'No nodes yet',
    noNodesText: 'What the loss of each node would cost appears here once it has joined.',
    node: 'Node',
    state: 'State',
    servers: 'Servers',
    unprotected: 'Lost entirely',
    newestBackups: 'Others lose up to',
    nothing: 'No others',
    since: 'What changed since <when></when>',
    plan: 'Plan',
    lastSeen: 'Last seen <when></when>',
    run: 'Failover of {node}',
    runStanding:
      'Declared dead <when></when>. {total, plural, =0 {It had no server to bring back.} one {{done} of # server brought back.} other {{done} of # servers brought back.}}',
    runBy:
      'Declared dead <when></when> by {by}. {total, plural, =0 {It had no server to bring back.} one {{done} of # server brought back.} other {{done} of # servers brought back.}}',
    server: 'Server',
    files: 'Files of',
    result: 'Result',
    waiting: 'Waiting',
    restoring: 'Restoring',
    restored: 'Brought back',
    failed: 'Failed',
    copies: 'Former copies',
    copiesText:
      'What lost nodes still have of servers that are elsewhere. When such a node is back, it stops former copies for good and deletes them after 7 days. What a move left is deleted at once.',
    onNode: 'On',
    copyState: 'State',
    copyWaits: 'Its node has not come back',
    copyPartial: 'Left by a move, deleted when its node is back',
    copyNotStopped: 'Not stopped',
    copyNotDeleted: 'Not deleted',
    copyTried:
      '{tries, plural, one {Tried once} other {Tried # times}}, again <when></when> and when its agent connects',
    copyStopped: 'Stopped <when></when>, deleted 7 days later',
    storageCopies: 'Copies that changes of storage left',
    storageCopiesText:
      'A server that changed its storage on its node leaves its former files, which the node deletes once the server runs on the new one. Until then it does not change its storage there again.',
    storageCopyTried:
      '{tries, plural, one {Tried once} other {Tried # times}}, again <when></when>',
    copyPlace: 'Where',
    copyOnDisk: 'Disk of the node',
    copyOnLost: 'A storage that no node has now',
    copyDue: 'Deleted in a moment',
    copyKept: 'Newer than what its server took instead, deleted <when></when>',
    actions: 'Actions',
    forgetCopyOpen: 'Forget…',
    forgetCopy: 'Forget copy',
    forgetCopyOf: 'Forget the copy of {server} on {node}',
    forgetCopyDisk:
      'Its files stay on the disk of {node}, and nobody deletes them any more. The server can change its storage again; a change to that disk replaces them.',
    forgetCopyStorage:
      'Its files stay wherever that storage is, and nobody deletes them any more. The server can change its storage again; a change to that storage replaces them.',
    planOf: 'If {node} is lost',
    planLead:
      'What would become of each of its servers now. Each gets the files of its newest backup that outlives the node, or keeps those on a shared storage, and gets ports of its new node.',
    planLabel: 'What would happen to each server',
    noServers: 'No servers',
    noServersText: 'There is nothing to bring back from this node.',
    size: 'Size',
    backup: 'Gets the files of',
    noBackup: 'No backup elsewhere',
    whole: 'Nothing is lost',
    onStorage: 'On the shared storage {storage}',
    sharedOf: '{shared} lose nothing: on {storages}',
    keptOn: 'Kept on {node}',
    inBucket: 'In the bucket',
    target: 'New node',
    targetPlace: '{node} ({location})',
    stays: 'Stays lost',
    starts: 'Starts',
    startsYes: 'Yes',
    startsNo: 'No, it was off',
    declareDead: 'Declare dead…',
    declareTitle: 'Declare {node} dead',
    declareVerb: 'Bring back {count, plural, one {# server} other {# servers}}',
    declareQuestion:
      '{count, plural, one {One server is} other {# servers are}} brought back on other nodes from backups. Everything that changed after those backups is lost.',
    declareWhole:
      '{count, plural, one {One server starts} other {# servers start}} on other nodes with all files, which lie on shared storages.',
    declareStaying:
      '{count, plural, one {One server stays} other {# servers stay}} lost for now: this page says why.',
    declareMoves:
      '{count, plural, one {The move of one server to this node is given up: it stays where it is, and can be used again.} other {The moves of # servers to this node are given up: they stay where they are, and can be used again.}}',
    movesHere: 'Moving to this node',
    movesHereText:
      'If the node is declared dead, these moves are abandoned. The servers stay where they are, and can be used again immediately.',
    declareSure:
      'Be sure that the machine is off. If it still runs without a connection, its servers run twice until it is connected again: then it stops its copies permanently.',
    setBack: 'The database was set back in time',
    setBackSince:
      'Detected <when></when>: it is an older state, or another PostgreSQL, than before. Where a node has a newer state, nothing is started, stopped or deleted automatically.',
    setBackUnnoticed:
      'Nodes have newer states of servers than the database. These servers are not started, stopped or deleted automatically.',
    setBackSafe: 'At the moment nothing is taken over, moved or started automatically on any node.',
    setBackWaits: 'Not compared yet, because they have not connected since: {nodes}.',
    findings: 'What nodes know more',
    finding: 'What differs',
    findingMissing: 'The panel has it there, the node does not',
    findingNewer:
      '{runs, select, yes {The node has a newer state of it, and it runs} other {The node has a newer state of it, and it does not run}}',
    findingUnknown:
      '{runs, select, yes {The panel does not have it, and it runs there} other {The panel does not have it, and it does not run}}',
    findingElsewhere:
      '{runs, select, yes {The panel has it on {node}, and it runs here} other {The panel has it on {node}, and it does not run here}}',
    whichCounts: 'What counts',
    keepNode: 'Keep as on the node',
    applyPanel: 'Apply the panel’s state',
    stopThere: 'Stop there, keep files',
    findingsText:
      'Kept as on the node, a server keeps running or stays off, and the panel follows; its settings are those of the panel. With the panel’s state, the node starts, stops or installs it as the panel has it. No choice deletes files.',
    extension: 'Work on the control plane',
    extensionText:
      'A node that fails over by itself stops its servers when it hears from no control plane until its lease ends. Before you stop all of them, make the leases longer.',
    extend: 'Make leases longer…',
    extendAnew: 'Change…',
    extendTitle: 'Make leases longer',
    extendLength: 'Leases last',
    extendLengthText: 'A control plane has to be back half a minute before that.',
    extendEnds: 'Ends by itself after',
    extendCost:
      'A node that is lost meanwhile is taken over only once its longer lease has ended. That holds for as long again after the end.',
    extended: 'Leases last {duration}',
    extendedWaits:
      '{nodes, plural, one {The node does not have one yet. Wait for it, or it stops its servers.} other {{extended} of # nodes have one. Wait for the others, or they stop their servers.}}',
    extendedReady:
      '{nodes, plural, =0 {No server fails over automatically any more. All control planes may be offline.} one {The node has one. All control planes may be offline for {duration}.} other {All # nodes have one. All control planes may be offline for {duration}.}}',
    extendedUntil: 'Until <when></when>, then it ends automatically.',
    minutes: '{count, plural, one {# minute} other {# minutes}}',
    hours: '{count, plural, one {# hour} other {# hours}}',
    endExtension: 'End now',
    declareOldest: 'The oldest of these backups is from <when></when>.',
  },
  { de: () => import('./words.de.ts') },
)
