/**
 * What the jobs of one server work on: of those that share a group only one is open at a time, and
 * jobs of different groups, or of none, do not know of each other.
 */
export type ConcurrencyGroup =
  /** Copies, replaces or moves everything on the server's disks. */
  'disks'

/** What can be done about a job of a kind besides waiting for its end. */
interface JobKind {
  /** It may be taken back while it is open. */
  readonly cancellable: boolean
  /** The action that does again what a failed or cancelled one was to do; null where it is begun anew elsewhere. */
  readonly again: 'reinstall' | 'start' | 'restart' | 'stop' | 'kill' | null
  /** It may take long, so that people hear of its success as well; of a failure they always do. */
  readonly long: boolean
  /**
   * Null where a newer job replaces an older one (power), or where it only starts others: the run of a
   * schedule must not exclude the backup that it makes.
   */
  readonly concurrencyGroup: ConcurrencyGroup | null
}

const kind = (cancellable: boolean, again: JobKind['again'] = null): JobKind => ({
  cancellable,
  again,
  long: false,
  concurrencyGroup: null,
})
/** Work on the disks of a machine. */
const onDisks: JobKind = { cancellable: true, again: null, long: true, concurrencyGroup: 'disks' }
/** Allows nothing, and nothing beside it. */
const UNKNOWN: JobKind = { ...kind(false), concurrencyGroup: 'disks' }

/** Every kind of job there is. What the panel offers and what the API allows both follow from this. */
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

/** The declaration of a kind; a job of an older Lodge whose kind is gone allows nothing. */
export const jobKind = (name: string): JobKind =>
  Object.hasOwn(JOB_KINDS, name) ? JOB_KINDS[name as JobKindName] : UNKNOWN
