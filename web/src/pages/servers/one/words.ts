import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    server: 'Server',
    windowTitle: '{server} ({state})',
    jobNow: '{job}: {step}',
    jobStill: '{job}: {step} (for {duration} now)',
    jobProgress: 'Progress of {job}',
    cancelJob: 'Cancel',
    jobNotCancelled: 'Could not cancel “{job}”',
    getHelp: 'Get help with this server',
    copyAddress: 'Copy the address',
    place: '{node} · {location}',
    upSince: 'up <since></since>',
    ownedBy: 'owned by {owner}',
    tabs: 'Parts of this server',
    returned: 'This server was brought back on another machine',
    returnedWhole:
      'The machine it was on was lost <when></when>. All its files are there. Its address may have changed.',
    returnedAs:
      'The machine it was on was lost <when></when>. Its files are those of the backup of <saved></saved>; later changes are gone. Its address may have changed.',
    nodeAway: 'Node {node} is not connected',
    nodeAwayNothing: 'Nothing is known about this server yet.',
    nodeAwayText:
      'What you see is from <when></when>. If only the connection is lost, the server keeps running; nobody can change it until its node is back.',
    willBeDeleted: 'This server will be deleted',
    willBeDeletedText: 'It is off. It will be deleted with all of its files <when></when>.',
    suspended: 'This server is suspended',
    suspendedText:
      'Nobody can start it until the suspension is lifted. {count, plural, one {Reason} other {Reasons}}: {reasons}.',
    suspendedAccount: 'the account is suspended',
    openBilling: 'Open billing',
    suspendedBilling: 'its subscription is suspended',
    suspendedDispute: 'a payment dispute',
    suspendedToken: 'a program of the host',
    suspendedHost: 'a decision of the host',
    lastFailed: 'The last attempt failed',
    restartNeeded: 'Changes take effect at the next restart.',
  },
  { de: () => import('./words.de.ts') },
)
