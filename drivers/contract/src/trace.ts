/**
 * What tells the processes of one server from all others: those in its cgroups, or those of programs
 * that were started for it. The guard of a node finds them by it when the runtime hangs or is gone.
 */
export type Trace =
  | {
      readonly kind: 'cgroup'
      /** Part of the name of each of the server's cgroups, and of no other. */
      readonly name: string
    }
  | {
      readonly kind: 'program'
      /** How the names of the programs begin, in at most 15 characters. */
      readonly names: readonly string[]
      /** Part of the command line, whose arguments each end in a zero byte. */
      readonly line: string
      /** The network namespace that they run in, as `/proc/<pid>/ns/net` reads. */
      readonly networkNamespace: string
    }
