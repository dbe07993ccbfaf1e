import { Signal } from '@lodge/shared/container-spec.ts'
import { z } from 'zod'

const StoredExit = z.object({
  code: z.int().nullable(),
  signal: Signal.nullable(),
  outOfMemory: z.boolean(),
  atMs: z.number(),
  /** How a machine ended. */
  cause: z.enum(['shutdown', 'panic', 'watchdog', 'lost', 'ended']).optional(),
})

/** What a schedule made of the power of a server while the node was alone. */
const OwnPower = z.object({
  /** It replaces the desired power of this generation only. */
  generation: z.number(),
  power: z.enum(['on', 'off']),
  ending: z.enum(['graceful', 'kill']),
})
export type OwnPower = z.infer<typeof OwnPower>

/**
 * What the agent remembers about one server beyond what the runtime knows; stored in the journal.
 *
 * `phase` is what the workload should be by the agent's own actions:
 *
 *     stopped ──start──▶ starting ──ready──▶ running
 *        ▲                  │                   │
 *        └──end─────────────┴───────────────────┤
 *                           └──exits by itself──┴──▶ crashed (restartAtMs: next restart)
 */
export const Memory = z.object({
  kind: z.enum(['container', 'machine']).default('container'),
  /** The desired state as `desiredDocument` encodes it, or null while unknown. */
  desired: z.string().nullable(),
  /** The installation that the data has reached; negative when that is unknown. */
  installed: z.number(),
  /** The installation that failed; it is not retried before a newer one is desired. */
  installFailed: z.number(),
  /** The newest run that was begun. */
  run: z.number(),
  phase: z.enum(['stopped', 'starting', 'running', 'crashed']),
  sinceMs: z.number(),
  restartAtMs: z.number().nullable(),
  /** Restarts by the crash policy since the last start by a person. */
  restartsMs: z.array(z.number()),
  lastExit: StoredExit.nullable(),
  /**
   * The newest generation whose outcome is decided; `failure` holds that outcome when it went
   * wrong.
   */
  settled: z.number(),
  failure: z.object({ code: z.string(), detail: z.string(), retryable: z.boolean() }).nullable(),
  /** Hash (`specHash`) of the document last applied to the workload. */
  appliedSpec: z.string(),
  restartRequired: z.boolean(),
  diskLimit: z.enum(['', 'enforced', 'measured']),
  /** The full disk was reported, and nothing has been freed since. */
  diskFull: z.boolean().default(false),
  /** The server and its data have been removed. */
  gone: z.boolean(),
  ownPower: OwnPower.nullable().default(null),
  /** Starts and restarts by schedules of the node alone, and the newest of them that was begun. */
  ownRuns: z.number().default(0),
  ownRunsBegun: z.number().default(0),
  /** The newest mode that the control plane has sent; `auto` runs under the lease of the node alone. */
  failover: z
    .object({ mode: z.enum(['pinned', 'auto']), revision: z.number() })
    .default({ mode: 'pinned', revision: 0 }),
  /** The revision of the mode `auto` that is in force, as promised to the control plane; 0: none. */
  guardedRevision: z.number().default(0),
  /**
   * The runtime was told to boot it, and has not said since whether it runs. One that hangs may still
   * carry that out, whatever became of the agent that told it.
   */
  booting: z.boolean().default(false),
})
export type Memory = z.infer<typeof Memory>

export const newMemory = (nowMs: number): Memory => ({
  kind: 'container',
  desired: null,
  installed: 0,
  installFailed: 0,
  run: 0,
  phase: 'stopped',
  sinceMs: nowMs,
  restartAtMs: null,
  restartsMs: [],
  lastExit: null,
  settled: 0,
  failure: null,
  appliedSpec: '',
  restartRequired: false,
  diskLimit: '',
  diskFull: false,
  gone: false,
  ownPower: null,
  ownRuns: 0,
  ownRunsBegun: 0,
  failover: { mode: 'pinned', revision: 0 },
  guardedRevision: 0,
  booting: false,
})
