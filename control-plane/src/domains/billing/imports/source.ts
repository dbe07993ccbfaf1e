import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { SourcePlace } from './tax-place.ts'

/** What another panel has, in our words but with its own ids; amounts are decimal texts as it wrote them. */
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
  /** What nobody changes there, and the same id of another installation would hardly have. */
  readonly fingerprint: string | null
  readonly email: string
  readonly name: string
  /** Lines for invoices. */
  readonly address: string
  /** Where they are taxed, as it was written there. */
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
  /** Up to when the other panel has issued invoices. */
  readonly invoicedUntil: Date | null
  readonly refusal?: string | undefined
}
