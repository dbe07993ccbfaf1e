import { declare } from './declare.ts'
import { jobKindOf, onDisks } from './job-kind.ts'

/** Servers brought back from backups when their node is lost. */
export const failover = declare({
  problems: {
    node_alive: { status: 409, title: 'The node is connected' },
    nothing_to_restore: { status: 409, title: 'No server can be restored elsewhere' },
  },
  jobKinds: {
    // Each server is a job of its own, and this one tells the operators how they ended.
    'failover.run': { ...jobKindOf(false), long: true, ownNotice: true },
    'server.failover': { ...onDisks, cancellable: false, ownNotice: true },
  },
})
