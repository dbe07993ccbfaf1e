import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { Capability } from '../capabilities.ts'
import type { Driver } from '../driver.ts'

/** What a test wants a workload to do; each driver's fixture implements it. */
export type Program =
  /** Prints `ready` and runs until a signal. */
  | { readonly kind: 'run' }
  /** Prints `ready` and then echoes every input line. */
  | { readonly kind: 'echo' }
  /** Prints `bye` and exits with this code. */
  | { readonly kind: 'exit'; readonly code: number }
  /** Prints `line 1` to `line n` and runs until a signal. */
  | { readonly kind: 'print'; readonly lines: number }
  /** Prints the value of this environment variable and a line `ready`, then runs until a signal. */
  | { readonly kind: 'environment'; readonly variable: string }
  /** Prints `ready`; handles SIGTERM and SIGINT without exiting. */
  | { readonly kind: 'deaf' }
  /** Allocates memory until there is none left. */
  | { readonly kind: 'grow' }
  /**
   * Writes this many bytes to the file `kept` in the data folder, prints `ready` and keeps running.
   */
  | { readonly kind: 'store'; readonly bytes: number }

/** What the suite needs to know about a driver's environment. */
export interface Fixture {
  readonly driver: Driver
  /** Another driver object on the same runtime, as after a restart of the agent. */
  again(): Driver
  /** A complete spec whose workload does this. Tests may change `ports` and limits. */
  spec(program: Program): ContainerSpec
  /** The same spec with an installer that does this. */
  withInstaller(spec: ContainerSpec, program: Program): ContainerSpec
  /** A driver of the same kind on another node; required for `transfer`. */
  elsewhere?(): Promise<Driver>
  readonly can: {
    /** Exactly the capabilities that the driver has. */
    readonly has: readonly Capability[]
    /** Detects a port that is in use. */
    readonly ports: boolean
    /** Detects running out of memory. */
    readonly memory: boolean
    /** The kernel enforces the disk limit. */
    readonly disk: boolean
  }
  close(): Promise<void>
}
