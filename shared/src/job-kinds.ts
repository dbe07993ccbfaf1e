import { type Declared, merged, type NamesIn } from './domains/declare.ts'
import { declared } from './domains/index.ts'
import { type JobKind, jobKindOf } from './domains/job-kind.ts'

/** Allows nothing and excludes everything. */
const UNKNOWN: JobKind = { ...jobKindOf(false), concurrencyGroup: 'disks' }

export type JobKindName = NamesIn<typeof declared, 'jobKinds'>

/** Every kind of job. The panel's buttons and the API's checks follow from this. */
export const JOB_KINDS = merged(
  'job kind',
  declared.map(({ jobKinds }: Declared) => jobKinds),
) as Readonly<Record<JobKindName, JobKind>>

/** The declaration of a kind; a removed kind from an older Lodge allows nothing. */
export const jobKind = (name: string): JobKind =>
  Object.hasOwn(JOB_KINDS, name) ? JOB_KINDS[name as JobKindName] : UNKNOWN

/** Whether an open job can still be cancelled, by its steps. */
export function isCancellable(
  name: string,
  steps: readonly { readonly name: string; readonly state: string }[],
): boolean {
  const { cancellable, cancellableUntil } = jobKind(name)
  return (
    cancellable && !steps.some((step) => step.name === cancellableUntil && step.state === 'done')
  )
}
