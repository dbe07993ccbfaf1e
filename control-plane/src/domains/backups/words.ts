import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about backups. */
export const t = catalogue(
  {
    completed: '{server} was backed up',
    completedAs: 'As {backup}.',
    failed: 'The backup of {server} failed',
    hostFailed: 'The backup of {server} against the loss of its node failed',
    triedAgain: '{reason} It is tried again within an hour.',
    overdue: 'Backups off {node} are overdue',
    overdueServers:
      '{servers, plural, one {A server has} other {# servers have}} no backup off the node from the last {hours} hours. The node’s page shows which.',
    damaged: 'A backup of {server} is damaged',
    damagedAs:
      '{backup}: {reason} It cannot be restored as a whole. Make a new one and verify that.',
    damagedForHost:
      '{backup}: {reason} Check the disks or the storage that it lies on, and verify the others there.',
    beforeRestore: 'Before restoring {backup}',
    restored: '{server} was restored',
    restoredFrom:
      'From the backup {backup}. The files from before are kept until the server has started.',
  },
  { de: () => import('./words.de.ts') },
)
