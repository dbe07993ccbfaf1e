import { Signal } from '@lodge/shared/container-spec.ts'
import { z } from 'zod'

const StoredExit = z.object({
  code: z.int().nullable(),
  signal: Signal.nullable(),
  outOfMemory: z.boolean(),
  atMs: z.number(),
  /** How a machine came to its end. */
  cause: z.enum(['shutdown', 'panic', 'watchdog', 'lost', 'ended']).optional(),
})

/**
 * What the agent remembers of one server besides what the runtime itself knows; kept in the journal.
 *
 * `phase` is what the workload is meant to be by the agent's own doing:
 *
 *     stopped ──start──▶ starting ──proof──▶ running
 *        ▲                  │                   │
 *        └──end─────────────┴───────────────────┤
 *                           └──ended by itself──┴──▶ crashed (restartAtMs: once more, then)
 */
export const Memory = z.object({
  kind: z.enum(['container', 'machine']).default('container'),
  /** The desired state as in `desiredDocument`, or null while none is known. */
  desired: z.string().nullable(),
  /** The installation that the data has reached; below zero while that was forgotten. */
  installed: z.number(),
  /** The installation that failed; no other try before a newer one is desired. */
  installFailed: z.number(),
  /** The newest run that was begun. */
  run: z.number(),
  phase: z.enum(['stopped', 'starting', 'running', 'crashed']),
  sinceMs: z.number(),
  restartAtMs: z.number().nullable(),
  /** When the crash policy restarted it, since a person's start. */
  restartsMs: z.array(z.number()),
  lastExit: StoredExit.nullable(),
  /** The newest generation whose outcome is decided, and that outcome when it went wrong. */
  settled: z.number(),
  failure: z.object({ code: z.string(), detail: z.string(), retryable: z.boolean() }).nullable(),
  /** Name (`specHash`) of the document that the workload was last made or changed by. */
  appliedSpec: z.string(),
  restartRequired: z.boolean(),
  diskLimit: z.enum(['', 'enforced', 'measured']),
  /** It was told that the disk is full, and there has been no room since. */
  diskFull: z.boolean().default(false),
  /** The data and everything else of it is gone. */
  gone: z.boolean(),
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
})
