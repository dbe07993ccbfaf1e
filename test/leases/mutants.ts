import { RULES, type Rules } from './rules.ts'

/** Each leaves one rule out; the simulation must detect every one of them. */
export const MUTANTS: Readonly<Record<string, Partial<Rules>>> = {
  'anchors a lease at its answer': {
    granted(lease, grant, nowMs) {
      const next = RULES.granted(lease, grant, nowMs)
      return next.deadlineMs === lease.deadlineMs || grant.ttlMs === undefined
        ? next
        : { ...next, deadlineMs: nowMs + grant.ttlMs }
    },
  },
  'takes over as soon as the lease ends': {
    takeoverInMs: (sight, { longestTtlMs }, nowMs) => sight.sinceMs + longestTtlMs - nowMs,
  },
  'judges silence by the wall clock of the database': { usesWallClock: true },
  'has no guard beside the agent': { hasGuard: false },
  'takes over without comparing the counter of renewals': { comparesRenewals: false },
  'boots without a permit': { needsPermit: false },
  'starts on a late command without comparing the placement': { checksLateStarts: false },
  'starts its servers after a reboot': { startsAfterReboot: true },
  'grants a lease for a heartbeat that was not recorded': {
    leaseIn: (heard, wanted, sessionEpoch) =>
      heard.kind === 'later' && wanted
        ? { epoch: sessionEpoch, ttlMs: RULES.times.ttlMs }
        : RULES.leaseIn(heard, wanted, sessionEpoch),
  },
  'moves servers that the node has not confirmed to be guarded': {
    isSurelyDead: ({ mode }) => mode === 'auto',
  },
  'forgets long leases as soon as shorter ones are granted': {
    areLongerOver: ({ ttlMs, longestTtlMs }) => ttlMs < longestTtlMs,
  },
  'has an agent and a guard that hang together': { guardHangsToo: true },
  'moves servers of a silent node that is to be switched off first': {
    isSurelyDead: (server, isOff) => server.mode === 'stonith' || RULES.isSurelyDead(server, isOff),
  },
  'takes a machine for off that was told to switch off': { verifiesOff: false },
  'takes a machine for off that was heard since': { endsWithSignOfLife: false },
  'has a fence command that says off of machines that are on': { hasTruePower: false },
}
