import { declare } from './declare.ts'
import { jobKindOf, onDisks } from './job-kind.ts'

/** Servers that change their node. */
export const moves = declare({
  problems: {
    part_left_behind: { status: 409, title: 'The node still has part of the server' },
  },
  jobKinds: {
    'server.migrate': {
      ...onDisks,
      cancellableUntil: 'Change the place',
      tellsServersPeople: true,
    },
    'server.storage': { ...onDisks, cancellableUntil: 'Change the storage' },
    // Each server's move is a job of its own.
    'node.evacuate': { ...jobKindOf(true), long: true },
  },
})
