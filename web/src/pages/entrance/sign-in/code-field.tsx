import type { BoundField } from '../../../ui/fields/field-props.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'

interface CodeFieldProps extends BoundField<string> {
  /** Without an authenticator only recovery codes are accepted. */
  totp?: boolean
  autoFocus?: boolean
}

/** The input for a second-factor code. */
export function CodeField({ totp = true, ...rest }: CodeFieldProps) {
  return (
    <TextField
      label={totp ? 'Code' : 'Recovery code'}
      description={
        totp
          ? 'Six digits from your authenticator, or a recovery code'
          : 'One of the codes you kept when you set up the passkey'
      }
      autoComplete="one-time-code"
      mono
      {...rest}
    />
  )
}
