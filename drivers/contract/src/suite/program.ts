import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { Capability } from '../capabilities.ts'
import type { Driver } from '../driver.ts'

/** What a test wants a workload to do; every driver's fixture says how, in its own world. */
export type Program =
  /** Prints `ready` and lives until a signal. */
  | { readonly kind: 'run' }
  /** Prints `ready` and then every line of its input. */
  | { readonly kind: 'echo' }
  /** Prints `bye` and ends with this code. */
  | { readonly kind: 'exit'; readonly code: number }
  /** Prints `line 1` to `line n` and lives until a signal. */
  | { readonly kind: 'print'; readonly lines: number }
  /** Prints the value of this environment variable and a line `ready`, then lives until a signal. */
  | { readonly kind: 'environment'; readonly variable: string }
  /** Prints `ready`; takes SIGTERM and SIGINT without ending. */
  | { readonly kind: 'deaf' }
  /** Takes memory until there is none. */
  | { readonly kind: 'grow' }
  /** Writes this many bytes into the file `kept` in the data folder, prints `ready` and lives. */
  | { readonly kind: 'store'; readonly bytes: number }

/** What the suite needs to know about the world of a driver. */
export interface Fixture {
  readonly driver: Driver
  /** Another driver object on the same runtime, as after a restart of the agent. */
  again(): Driver
  /** A whole spec whose workload does this. `ports` and limits may be changed by the test. */
  spec(program: Program): ContainerSpec
  /** The same with an installer that does this. */
  withInstaller(spec: ContainerSpec, program: Program): ContainerSpec
  /** A driver of the same kind on another node; needed by one that has `transfer`. */
  elsewhere?(): Promise<Driver>
  readonly can: {
    /** The capabilities that the driver has, and no others. */
    readonly has: readonly Capability[]
    /** A port that is taken is noticed. */
    readonly ports: boolean
    /** Running out of memory is noticed. */
    readonly memory: boolean
    /** The kernel keeps the disk limit. */
    readonly disk: boolean
  }
  close(): Promise<void>
}
