import { declare } from './declare.ts'
import { onDisks } from './job-kind.ts'

/** Servers made after the likeness of others. */
export const clones = declare({
  jobKinds: { 'server.clone': onDisks },
})
