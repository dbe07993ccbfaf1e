/**
 * Access to a server's data for the agent's file service. Works while the server is stopped: `open`
 * mounts the data if necessary.
 */
export interface Files {
  /** Throws `DriverError` `not_found` for a server without data. */
  open(serverId: string): Promise<ServerFiles>
  /**
   * Called before the data is unmounted, exchanged or removed, so that whoever uses it lets go. Waits for that.
   */
  onRelease(letGo: (serverId: string) => Promise<void>): void
}

export interface ServerFiles {
  /** Absolute path of the folder with the data. */
  readonly folder: string
  /** Whom the data belongs to. */
  readonly uid: number
  readonly gid: number
  readonly limitBytes: number | null
  /** Null before the first measurement. */
  readonly usedBytes: number | null
  /**
   * When the measurement began, in milliseconds since 1970: what was written since then is not in it.
   * Null where the kernel knows, and before the first measurement.
   */
  readonly measuredAtMs: number | null
  /** Whether the kernel enforces the limit; otherwise whoever writes has to count. */
  readonly enforced: boolean
}
