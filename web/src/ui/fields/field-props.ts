import type { ReactNode } from 'react'

/** The props of every field; the form always holds the value. */
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

/** The bound that an amount exceeds. */
export type Bound = { readonly most: number } | { readonly least: number }

/** One value of a form and its complaint: what `form.field(name)` passes to a field. */
export interface BoundField<T> extends Pick<FieldProps<T>, 'value' | 'onChange'> {
  error: string | undefined
  /** For an amount that is too large or too small, so that its field names the bound in its own unit. */
  bound?: Bound
}

/** One of the values to choose from. */
export interface Choice {
  readonly value: string
  readonly label: string
}
