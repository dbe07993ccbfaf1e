import type { BoundField } from '../../ui/fields/field-props.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { CodeField } from '../entrance/sign-in/code-field.tsx'
import { t } from './words.ts'

/** Password and second factor, before irreversible actions. */
export function IdentityFields({
  password,
  code,
}: {
  password: BoundField<string>
  code: BoundField<string>
}) {
  return (
    <>
      <PasswordField label={t.yourPassword} autoComplete="current-password" {...password} />
      <CodeField {...code} />
    </>
  )
}
