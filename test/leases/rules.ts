import { type Heard, leaseIn } from '@lodge/shared/leases/acknowledgement.ts'
import { whyNoBoot } from '@lodge/shared/leases/boot.ts'
import { officeStep } from '@lodge/shared/leases/coordinator.ts'
import { isTooMuch } from '@lodge/shared/leases/limit.ts'
import { granted, mayConfirm, mustKill } from '@lodge/shared/leases/node-lease.ts'
import { takeoverInMs } from '@lodge/shared/leases/observe.ts'
import { areLongerOver } from '@lodge/shared/leases/outstanding.ts'
import { isProof, isSurelyDead } from '@lodge/shared/leases/takeover.ts'
import { LEASE_TIMES, type LeaseTimes } from '@lodge/shared/leases/times.ts'

/** The rules of leases in a simulation: the real ones, or with one of them missing. */
export const RULES = {
  times: LEASE_TIMES as LeaseTimes,
  granted: (
    lease: Parameters<typeof granted>[0],
    grant: Parameters<typeof granted>[1],
    _nowMs: number,
  ) => granted(lease, grant),
  leaseIn: (heard: Heard, wanted: boolean, _sessionEpoch: number) => leaseIn(heard, wanted),
  ...{
    areLongerOver,
    isProof,
    isSurelyDead,
    isTooMuch,
    mayConfirm,
    mustKill,
    officeStep,
    takeoverInMs,
    whyNoBoot,
  },
  /** A separate guard process kills as well. */
  hasGuard: true,
  /** The takeover compares the node's counter. */
  comparesRenewals: true,
  /** Judges silence by timestamps of the database's wall clock. */
  usesWallClock: false,
  /** A server needs a permit, not only a lease. */
  needsPermit: true,
  /** A late start command is checked against its placement. */
  checksLateStarts: true,
  /** A node starts its servers on its own after a reboot. */
  startsAfterReboot: false,
  /** Fenced nodes are checked for servers repeatedly, not only at the takeover. */
  isLevelTriggered: true,
  /** The guard may hang as long as the agent does. */
  guardHangsToo: false,
  /** A node counts as off only when the fence command reports it, not when the command was called. */
  verifiesOff: true,
  /** An observation of a node's power is valid until the node's next sign of life. */
  endsWithSignOfLife: true,
  /** The fence command never reports off for a machine that is on. */
  hasTruePower: true,
}
export type Rules = typeof RULES
