import type { BoundField } from '../../../ui/fields/field-props.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { t } from './words.ts'

/** The email field, first on every page before sign-in. */
export function EmailField(props: BoundField<string>) {
  return <TextField label={t.email} type="email" autoComplete="username" autoFocus {...props} />
}
