/** What can be done about a job of a kind besides waiting for its end. */
interface JobKind {
  /** It may be taken back while it is open. */
  readonly cancellable: boolean
  /** The action that does again what a failed or cancelled one was to do; null where it is begun anew elsewhere. */
  readonly again: 'reinstall' | 'start' | 'restart' | 'stop' | 'kill' | null
  /** It may take long, so that people hear of its success as well; of a failure they always do. */
  readonly long: boolean
}

const kind = (cancellable: boolean, again: JobKind['again'] = null): JobKind => ({
  cancellable,
  again,
  long: false,
})
/** Work on the disks of a machine. */
const copying: JobKind = { cancellable: true, again: null, long: true }

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
  'vm.migrate': copying,
  'vm.snapshot.create': copying,
  'vm.snapshot.restore': copying,
  'vm.snapshot.delete': copying,
} as const satisfies Record<string, JobKind>
export type JobKindName = keyof typeof JOB_KINDS

/** The declaration of a kind; a job of an older Lodge whose kind is gone allows nothing. */
export const jobKind = (name: string): JobKind =>
  Object.hasOwn(JOB_KINDS, name) ? JOB_KINDS[name as JobKindName] : kind(false)
