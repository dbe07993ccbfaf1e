import type { CallName } from './calls.ts'
import type { Fault } from './fault.ts'

/** The messages between the two processes of the port. */

export type ToChild = { readonly id: number; readonly name: CallName; readonly args: unknown[] }

export type FromChild =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'unavailable'; readonly id: number; readonly message: string }
  | { readonly kind: 'event'; readonly event: DomainEvent }
  /** Events are reported from now on; earlier ones were missed. */
  | { readonly kind: 'listening' }
  | { readonly kind: 'deaf' }

/** A libvirt event; `event` and `detail` are values of `virDomainEventType`. */
export type DomainEvent =
  | {
      readonly kind: 'lifecycle'
      readonly uuid: string
      readonly event: number
      readonly detail: number
      readonly atMs: number
    }
  | { readonly kind: 'reboot'; readonly uuid: string; readonly atMs: number }
  | {
      readonly kind: 'watchdog'
      readonly uuid: string
      readonly action: number
      readonly atMs: number
    }
  | {
      readonly kind: 'io-error'
      readonly uuid: string
      readonly reason: string
      readonly atMs: number
    }
  | {
      readonly kind: 'agent'
      readonly uuid: string
      readonly connected: boolean
      readonly atMs: number
    }
