import { ApiError } from '../../../api.ts'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { part } from '../../../ui/page/part.tsx'
import { EmailField } from './email-field.tsx'
import { t } from './words.ts'

const ResendButton = part(async () => ({
  default: (await import('../resend.tsx')).ResendButton,
}))
const isUnverified = (refusal: unknown): boolean =>
  refusal instanceof ApiError && refusal.problem.code === 'account_unverified'

interface Credentials {
  email: string
  password: string
}

interface PasswordStepProps<R> {
  submit: (values: Credentials) => Promise<R>
  done: (result: R) => void
}

/** E-mail and password. Pasting and password managers work. */
export function PasswordStep<R>({ submit, done }: PasswordStepProps<R>) {
  const form = useForm({ initial: { email: '', password: '' }, submit, done })
  const empty = form.values.email.trim() === '' || form.values.password === ''
  return (
    <>
      <Form
        form={form}
        submitText={t.goOn}
        submitFull
        disabledBecause={empty ? t.credentialsMissing : undefined}
      >
        <EmailField {...form.field('email')} />
        <PasswordField
          label={t.password}
          autoComplete="current-password"
          {...form.field('password')}
        />
      </Form>
      {isUnverified(form.refusal) ? <ResendButton email={form.values.email.trim()} /> : null}
    </>
  )
}
