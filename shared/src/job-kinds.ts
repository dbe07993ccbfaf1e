/**
 * What the jobs of one server work on. Jobs in the same group exclude each other; jobs in different
 * groups, or in none, are independent.
 */
export type ConcurrencyGroup =
  /** Copies, replaces or moves the server's disks. */
  'disks'

/** What people can do about a job of this kind besides waiting for it. */
interface JobKind {
  /** Can be cancelled while it is open. */
  readonly cancellable: boolean
  /** The action that retries a failed or cancelled job; null when it is started again elsewhere. */
  readonly again: 'reinstall' | 'start' | 'restart' | 'stop' | 'kill' | null
  /** May take long, so success is notified as well; failure always is. */
  readonly long: boolean
  /**
   * Null when a newer job replaces an older one (power), or when it only starts other jobs: a
   * schedule's run must not exclude the backup that it starts.
   */
  readonly concurrencyGroup: ConcurrencyGroup | null
}

const kind = (cancellable: boolean, again: JobKind['again'] = null): JobKind => ({
  cancellable,
  again,
  long: false,
  concurrencyGroup: null,
})
/** Work on a machine's disks. */
const onDisks: JobKind = { cancellable: true, again: null, long: true, concurrencyGroup: 'disks' }
/** Allows nothing and excludes everything. */
const UNKNOWN: JobKind = { ...kind(false), concurrencyGroup: 'disks' }

/** Every kind of job. The panel's buttons and the API's checks follow from this. */
export const JOB_KINDS = {
  'server.create': kind(true, 'reinstall'),
  'server.start': kind(true, 'start'),
  'server.restart': kind(true, 'restart'),
  'server.reinstall': kind(true, 'reinstall'),
  'server.update': kind(true, 'restart'),
  'server.stop': kind(false, 'stop'),
  'server.kill': kind(false, 'kill'),
  'server.suspend': kind(false),
  'server.unsuspend': kind(false),
  'server.delete': kind(false),
  'node.images.free': kind(false),
  'vm.change': kind(false),
  'vm.medium.check': kind(true),
  'vm.migrate': onDisks,
  'vm.snapshot.create': onDisks,
  'vm.snapshot.restore': onDisks,
  'vm.snapshot.delete': onDisks,
} as const satisfies Record<string, JobKind>
export type JobKindName = keyof typeof JOB_KINDS

/** The declaration of a kind; a removed kind from an older Lodge allows nothing. */
export const jobKind = (name: string): JobKind =>
  Object.hasOwn(JOB_KINDS, name) ? JOB_KINDS[name as JobKindName] : UNKNOWN
