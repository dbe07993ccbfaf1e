/**
 * Lets the guard of a node end a server whose runtime hangs or is gone, for a server that another
 * node may start next.
 */
export interface Fencing {
  /**
   * What tells the server's processes from all others, already before they are started. A workload
   * that is created again has other traces; empty when it has none yet.
   */
  tracesOf(serverId: string): Promise<readonly Trace[]>
}

/** Processes in cgroups of this name, or of programs that were started for the server. */
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
