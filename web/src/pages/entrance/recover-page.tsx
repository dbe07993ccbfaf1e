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
import { t } from './words.ts'

const inputOf = () =>
  z.object({
    email: emailAddress,
    recoveryCode: z.string().trim().min(1, t.recoveryCodeMissing),
    password: newPassword,
  })

/** Sets a new password with a recovery code, for people who cannot receive mail. */
export default function RecoverPage() {
  const [done, setDone] = useState(false)
  const form = useForm({
    initial: { email: '', recoveryCode: '', password: '' },
    schema: inputOf(),
    submit: (values) =>
      api('POST /api/auth/recover', {
        body: { ...values, email: values.email.trim(), recoveryCode: values.recoveryCode.trim() },
      }),
    done: () => setDone(true),
  })
  const { email, recoveryCode, password } = form.values
  if (done) {
    return (
      <Entrance key="done" title={t.passwordIsSet}>
        <Done
          title={t.allSignedOut}
          action={
            <LinkButton to={paths.signIn} kind="primary" size="large">
              {t.signIn}
            </LinkButton>
          }
        >
          {t.codeUsedUp}
        </Done>
      </Entrance>
    )
  }
  return (
    <Entrance
      title={t.useRecoveryCode}
      lead={t.useRecoveryCodeLead}
      below={
        <Text muted>
          <Link to={paths.signIn}>{t.backToSignIn}</Link>
        </Text>
      }
    >
      <Form
        form={form}
        submitText={t.setNewPassword}
        submitFull
        disabledBecause={
          email.trim() === '' || recoveryCode.trim() === '' || password === ''
            ? t.allThree
            : undefined
        }
      >
        <EmailField {...form.field('email')} />
        <TextField label={t.recoveryCode} autoComplete="off" mono {...form.field('recoveryCode')} />
        <PasswordChoice label={t.newPassword} field={form.field('password')} />
      </Form>
    </Entrance>
  )
}
