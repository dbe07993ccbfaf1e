import type { BoundField } from '../../../ui/fields/field-props.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'

/** The address of one's account: the first field of every page in front of the panel. */
export function EmailField(props: BoundField<string>) {
  return <TextField label="E-mail" type="email" autoComplete="username" autoFocus {...props} />
}
