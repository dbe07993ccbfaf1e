import type { LeaseTimes } from './times.ts'

/** The coordinator as it is in the database. */
export interface Office {
  readonly holderId: string | null
  /** Grows with each change of the holder. */
  readonly term: number
  /** Grows with each sign of life of the holder. */
  readonly renewSeq: number
}

export interface OfficeSight {
  readonly term: number
  readonly renewSeq: number
  readonly sinceMs: number
}

export const lookAtOffice = (
  before: OfficeSight | undefined,
  { term, renewSeq }: Office,
  nowMs: number,
): OfficeSight =>
  before?.term === term && before.renewSeq === renewSeq
    ? before
    : { term, renewSeq, sinceMs: nowMs }

/**
 * What an instance of the control plane does about the coordinator now. Two that both believe to be
 * it do no harm: each takeover compares the node's counter. One is enough, and spares the rest.
 */
export function officeStep(
  instanceId: string,
  office: Office,
  sight: OfficeSight,
  nowMs: number,
  times: Pick<LeaseTimes, 'coordinatorMs'>,
): 'renew' | 'take' | 'wait' {
  if (office.holderId === instanceId) return 'renew'
  if (office.holderId === null) return 'take'
  return nowMs - sight.sinceMs >= times.coordinatorMs ? 'take' : 'wait'
}
