import type { BoundField } from '../../../ui/fields/field-props.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { t } from './words.ts'

interface CodeFieldProps extends BoundField<string> {
  /** Without an authenticator only recovery codes are accepted. */
  totp?: boolean
  autoFocus?: boolean
}

/** The input for a second-factor code. */
export function CodeField({ totp = true, ...rest }: CodeFieldProps) {
  return (
    <TextField
      label={totp ? t.code : t.recoveryCode}
      description={totp ? t.codeHelp : t.recoveryCodeHelp}
      autoComplete="one-time-code"
      mono
      {...rest}
    />
  )
}
