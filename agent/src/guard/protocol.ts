import type { Trace } from '@lodge/driver/trace.ts'

/**
 * What the agent asks its guard, one JSON document a line, and its answers in the same order. Both
 * are parts of one program, so they speak the same version: a guard of another build is replaced.
 */
export type Request =
  | { readonly do: 'tell' }
  /** The lease ends then, unless it ends later already. */
  | { readonly do: 'renew'; readonly deadlineMs: number }
  | { readonly do: 'guard'; readonly serverId: string; readonly traces: readonly Trace[] }
  | { readonly do: 'release'; readonly serverId: string }
  /** Ends the lease and everything guarded. */
  | { readonly do: 'fence' }

export interface Answer {
  /** Why the request was not carried out; absent if it was. */
  readonly error?: string
  /** Of the program that this guard runs. */
  readonly build: string
  readonly deadlineMs: number
  /** The guarded servers that run, if the request was to end them; otherwise empty. */
  readonly running: readonly string[]
}

/** In the folder of a guard. */
export const SOCKET = 'guard.sock'
export const STATE = 'state.json'
export const PROCESS = 'process'
