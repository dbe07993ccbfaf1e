import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    node: 'Node',
    location: 'Location',
    fits: 'Can run it',
    yes: 'Yes',
    no: 'No',
    actions: 'Actions',
    onlyElsewhere: 'With another storage',
    files: 'Files',
    filesText: 'Another storage means that they are copied',
    asNow: 'As now',
    diskOfNode: 'On the disk of the node',
    storageOf: 'On the shared storage {storage}',
    storage: 'Storage',
    liesOnDisk: 'It lies on the disk of {node}.',
    liesOn: 'It lies on the shared storage {storage}.',
    liesAway: 'It lies on a shared storage that {node} does not have now.',
    changeStorageOpen: 'Change storage…',
    changeStorageOf: 'Change the storage of {server}',
    changeStorage: 'Change storage',
    newStorage: 'New storage',
    changeStorageText:
      'The server stops, is copied and compared, and starts again on the new storage. The original is deleted only after that, and kept if anything fails.',
    copyOnDisk: '{node} still has a copy of it on its own disk, from <when></when>.',
    copyOnStorage:
      '{node} still has a copy of it on the shared storage {storage}, from <when></when>.',
    takeCopyOpen: 'Take this copy…',
    takeCopyOf: 'Take the copy of {server}',
    takeCopy: 'Take this copy',
    takeCopyText:
      'The server stops and starts again from the copy of <when></when>. What it has now stays where it is, and you can go back to it for 7 days from when its node has that storage again. After that it is deleted.',
    takeCopyMisses: 'What was written since is missing in the copy',
    takeCopyAgree: 'Accept that newer files, snapshots and changes of disks are missing',
    doesNotFit: 'The server does not fit there',
    givenUp: 'The last move failed',
    moveHere: 'Move here',
    moveToOther: 'Move to another node',
    nodes: 'Nodes',
    noOtherNode: 'No other node',
    noOtherNodeText: 'When another node can run container servers, you can move this one there.',
    moveText:
      'The files are copied while the server runs; then it stops for the last changes. The original on {node} is deleted only after the server has started in its new place, and kept if anything fails.',
    moveTextSize:
      'The files ({size}) are copied while the server runs; then it stops for the last changes. The original on {node} is deleted only after the server has started in its new place, and kept if anything fails.',
    moveTitle: 'Move {server} to {node}',
    move: 'Move server',
    takes: 'Copying takes about {copy}',
    off: 'Off for about {off}',
    dialogText:
      'Its address becomes that of {node}, with the same ports if they are free there. Schedules, people, settings and backups stay as they are.',
    unknownSize: 'How long it takes depends on the size of its files, which is not known yet.',
    backupsLeft:
      '{node} alone keeps {count, plural, one {a backup of it, which cannot} other {# backups of it, which cannot}} be restored on another node',
    agreeBackups: 'Move it anyway; they can still be downloaded',
    agreeFirst: 'Confirm what happens to its backups',
  },
  { de: () => import('./words.de.ts') },
)
