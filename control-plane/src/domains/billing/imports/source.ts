import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { SourcePlace } from './tax-place.ts'

/**
 * The data of another panel in our terms, with its own ids; amounts are decimal strings as exported.
 */
export interface Source {
  plans(): Promise<SourcePlan[]>
  customers(): AsyncIterable<SourceCustomer>
  credits(): AsyncIterable<SourceCredit>
  subscriptions(): AsyncIterable<SourceSubscription>
}

export interface SourcePlan {
  readonly id: string
  readonly name: string
  readonly fingerprint: string | null
  readonly description: string
  readonly prices: readonly {
    readonly cycle: Cycle
    readonly currency: string
    readonly amount: string
    readonly setupFee: string
  }[]
}

export interface SourceCustomer {
  readonly id: string
  /**
   * A value that nobody changes there and that the same id of another installation is unlikely to
   * have.
   */
  readonly fingerprint: string | null
  readonly email: string
  readonly name: string
  /** Lines for invoices. */
  readonly address: string
  /** Where they are taxed, as the other panel wrote it. */
  readonly place: SourcePlace
  readonly language: Language | null
  /** Why it is not imported. */
  readonly refusal?: string | undefined
}

export interface SourceCredit {
  readonly id: string
  readonly customerId: string
  readonly currency: string
  readonly amount: string
}

export interface SourceSubscription {
  readonly id: string
  readonly customerId: string
  readonly planId: string
  readonly status: 'active' | 'suspended'
  /** Null if it never renews. */
  readonly cycle: Cycle | null
  readonly currency: string
  readonly amount: string
  readonly quantity: number
  readonly dueAt: Date | null
  /** The other panel has issued invoices up to this time. */
  readonly invoicedUntil: Date | null
  readonly refusal?: string | undefined
}
