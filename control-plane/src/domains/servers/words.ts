import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about servers. */
export const t = catalogue(
  {
    invited: '{inviter} shares {server} with you',
    invitedBody: 'Accept or decline the invitation above your servers.',
    accepted: 'An invitation was accepted',
    hasAccess: '{email} now has access to {server}.',
    staysStopped: '{server} stays stopped',
    crashed: '{server} has crashed',
    installFailed: 'The installation of {server} failed',
    diskFull: 'The disk of {server} is full',
    suspended: '{server} is suspended',
    suspendedBy:
      'Suspended by {cause, select, account {the suspension of its account} billing {billing} dispute {a payment dispute} token {a program of the host} other {the host}}. The server is stopped, and cannot start until the suspension is lifted.',
    freed: '{server} is no longer suspended',
    freedOf:
      'The suspension by {cause, select, account {the suspension of its account} billing {billing} dispute {a payment dispute} token {a program of the host} other {the host}} was lifted.',
    willBeDeleted: '{server} will be deleted',
    deletedOn: 'On {at}, with all its files. Until then, the owner can cancel the deletion.',
    deleted: '{server} was deleted',
    deletedBody: 'The server and all its files were deleted.',
    migrated: '{server} has moved',
    migratedBody:
      'It is on another machine now, with all of its files. Its address may have changed.',
    moveGivenUp: 'The move of {server} was given up',
    backWhereItWas:
      'The machine it had just moved to is lost. It is back where it was, with its files from before the move: later changes are gone.',
    staysWhereItWas:
      'The machine it was moving to {isSilent, select, true {stopped answering} other {is lost}}. It stays where it was, with all of its files, and can be used again.',
    didNotMove: '{server} did not move to {target}',
    targetLost:
      '{target} is lost, so the server {isBack, select, true {is back} other {stays}} on {node} and can be used again. Move it to a node that is connected.',
    targetSilent:
      '{target} stopped answering, so the server stays on {node} and can be used again. Move it again once {target} is connected.',
    accessEnded: 'You no longer have access to {server}',
    accessEndedBody: 'The server is not shared with you any more.',
    created: '{server} was created',
    createdBody: 'The server is being set up.',
    installed: '{server} is installed',
    installedBody: 'The installation ended well.',
    started: '{server} has started',
    stopped: '{server} has stopped',
    stays: '{server} will not be deleted',
    staysBody:
      'The deletion was cancelled. {takenOver, select, true {The server belongs to a new subscription now.} other {The server stays off until it is started.}}',
  },
  { de: () => import('./words.de.ts') },
)
