import { declare } from './declare.ts'
import { jobKindOf, onDisks } from './job-kind.ts'

/** What only virtual machines have. */
export const vms = declare({
  jobKinds: {
    'vm.change': jobKindOf(false),
    'vm.migrate': { ...onDisks, tellsServersPeople: true },
    'vm.snapshot.create': onDisks,
    'vm.snapshot.restore': onDisks,
    'vm.snapshot.delete': onDisks,
  },
})
