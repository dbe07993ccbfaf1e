import type { BoundField } from '../../ui/fields/field-props.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { PasswordMeter } from '../set-up/password-meter.tsx'

/** A new password with its length requirement. */
export function PasswordChoice({ label, field }: { label: string; field: BoundField<string> }) {
  return (
    <>
      <PasswordField label={label} autoComplete="new-password" {...field} />
      <PasswordMeter password={field.value} />
    </>
  )
}
