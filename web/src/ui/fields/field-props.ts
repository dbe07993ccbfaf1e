import type { ReactNode } from 'react'

/** What every field takes; the value and its change always belong to the form. */
export interface FieldProps<T> {
  id?: string
  label: string
  value: T
  onChange: (value: T) => void
  error?: string | undefined
  description?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** How far an amount may go that went beyond it. */
export type Bound = { readonly most: number } | { readonly least: number }

/** One value of a form and what is wrong with it: what `form.field(name)` hands to a field. */
export interface BoundField<T> extends Pick<FieldProps<T>, 'value' | 'onChange'> {
  error: string | undefined
  /** Of an amount that is too large or too small: so that its field says the bound in its own unit. */
  bound?: Bound
}

/** One of the values to choose from. */
export interface Choice {
  readonly value: string
  readonly label: string
}
