import type { Language } from '@lodge/shared/words/languages.ts'

/** What stands on a paper of one sum of money: an invoice, or a credit note. */
export interface Paper {
  readonly title: string
  readonly language: Language
  readonly number: string
  readonly issuedAt: Date
  /** Name and address, line by line. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Above the rows. */
  readonly heads: { readonly text: string; readonly amount: string }
  readonly rows: readonly {
    readonly text: string
    readonly note: string
    readonly amount: string
  }[]
  readonly sums: readonly {
    readonly text: string
    readonly amount: string
    readonly bold?: true
  }[]
  readonly remarks: readonly string[]
}
