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
    // Can be cancelled all the time: it may wait for its node without a limit.
    'server.storage': onDisks,
    // Each server's move is a job of its own.
    'node.evacuate': { ...jobKindOf(true), long: true },
  },
})
