import { declare } from './declare.ts'
import { onDisks } from './job-kind.ts'

/** Servers that change their node. */
export const moves = declare({
  jobKinds: { 'server.migrate': { ...onDisks, cancellableUntil: 'Change the place' } },
})
