import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface TextProps {
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Password and second factor once more, before what cannot be taken back. */
export function IdentityFields({ password, code }: { password: TextProps; code: TextProps }) {
  return (
    <>
      <PasswordField label="Your password" autoComplete="current-password" {...password} />
      <TextField
        label="Code"
        description="Six digits from your authenticator, or a recovery code"
        autoComplete="one-time-code"
        mono
        {...code}
      />
    </>
  )
}
