import { declare } from './declare.ts'
import { jobKindOf, onDisks } from './job-kind.ts'

/** Servers that change their node. */
export const moves = declare({
  jobKinds: {
    'server.migrate': { ...onDisks, cancellableUntil: 'Change the place' },
    // Each server's move is a job of its own.
    'node.evacuate': { ...jobKindOf(true), long: true },
  },
})
