import type { Language } from '@lodge/shared/words/languages.ts'

/** The content of a printed invoice or credit note. */
export interface Paper {
  readonly title: string
  readonly language: Language
  readonly number: string
  readonly issuedAt: Date
  /** Name and address, line by line. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Heads of the columns. */
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
