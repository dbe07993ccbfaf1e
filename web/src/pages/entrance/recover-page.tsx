import { emailAddress, newPassword } from '@lodge/shared/accounts.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Done } from './done.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { EmailField } from './sign-in/email-field.tsx'
import { Entrance } from './sign-in/entrance.tsx'

const Input = z.object({
  email: emailAddress,
  recoveryCode: z.string().trim().min(1, 'Enter one of your recovery codes'),
  password: newPassword,
})

/** Sets a new password with a recovery code, for people who cannot receive mail. */
export default function RecoverPage() {
  const [done, setDone] = useState(false)
  const form = useForm({
    initial: { email: '', recoveryCode: '', password: '' },
    schema: Input,
    submit: (values) =>
      api('POST /api/auth/recover', {
        body: { ...values, email: values.email.trim(), recoveryCode: values.recoveryCode.trim() },
      }),
    done: () => setDone(true),
  })
  const { email, recoveryCode, password } = form.values
  if (done) {
    return (
      <Entrance key="done" title="Your password is set">
        <Done
          title="Every device was signed out"
          action={
            <LinkButton to={paths.signIn} kind="primary" size="large">
              Sign in
            </LinkButton>
          }
        >
          The recovery code is used up. Your second factor stays as it is.
        </Done>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Use a recovery code"
      lead="One of the codes that you kept when you set up your second factor."
      below={
        <Text muted>
          <Link to={paths.signIn}>Back to sign-in</Link>
        </Text>
      }
    >
      <Form
        form={form}
        submitText="Set the new password"
        submitFull
        disabledBecause={
          email.trim() === '' || recoveryCode.trim() === '' || password === ''
            ? 'Fill in all three'
            : undefined
        }
      >
        <EmailField {...form.field('email')} />
        <TextField label="Recovery code" autoComplete="off" mono {...form.field('recoveryCode')} />
        <PasswordChoice label="New password" field={form.field('password')} />
      </Form>
    </Entrance>
  )
}
