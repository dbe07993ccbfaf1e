/**
 * What the jobs of one server work on. Jobs in the same group exclude each other; jobs in different
 * groups, or in none, are independent.
 */
export type ConcurrencyGroup =
  /** Copies, replaces or moves the server's disks. */
  | 'disks'
  /** Changes many files of the server. */
  | 'files'
  /** Reads the server's backups, which is in nobody's way. */
  | 'verification'

/** What people can do about a job of this kind besides waiting for it. */
export interface JobKind {
  /** Can be cancelled while it is open. */
  readonly cancellable: boolean
  /** The step of its saga after which it is too late to cancel. */
  readonly cancellableUntil?: string
  /** The action that retries a failed or cancelled job; null when it is started again elsewhere. */
  readonly again: 'reinstall' | 'start' | 'restart' | 'stop' | 'kill' | null
  /** May take long, so success is notified as well; failure always is. */
  readonly long: boolean
  /** Its domain notifies of failures itself, in its own words. */
  readonly ownNotice?: true
  /** Its domain tells the people of the server of its success, so its owner hears of no job as well. */
  readonly tellsServersPeople?: true
  /** Only whoever started it hears of its end; nobody, if it began by itself. */
  readonly tellsOnlyStarter?: true
  /** Writes files of its server, so whatever moves them waits for its end, whichever group it has. */
  readonly writesFiles?: true
  /**
   * Null when a newer job replaces an older one (power), or when it only starts other jobs: a
   * schedule's run must not exclude the backup that it starts.
   */
  readonly concurrencyGroup: ConcurrencyGroup | null
}

/** Most kinds: short, and excluding no other. */
export const jobKindOf = (cancellable: boolean, again: JobKind['again'] = null): JobKind => ({
  cancellable,
  again,
  long: false,
  concurrencyGroup: null,
})
/** Work on a machine's disks. */
export const onDisks: JobKind = {
  cancellable: true,
  again: null,
  long: true,
  concurrencyGroup: 'disks',
}
