import type { ReactNode } from 'react'

/**
 * How wide a field is, by what is written in it: a short number or amount, a name, an address (of
 * mail, of a page, a path), a sentence. `fill` takes the room it is given.
 */
export type FieldWidth = 'number' | 'name' | 'address' | 'sentence' | 'fill'

/** The width as an attribute of the field's frame, for `field.css`. */
export const widthOf = (
  width: FieldWidth,
): { wrapperProps: Readonly<Record<'data-width', FieldWidth>> } => ({
  wrapperProps: { 'data-width': width },
})

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
  width?: FieldWidth
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
export interface Choice<T extends string = string> {
  readonly value: T
  readonly label: string
}
