import { emailAddress } from '@lodge/shared/accounts.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Done } from './done.tsx'
import { EmailField } from './sign-in/email-field.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

/** Requests a password reset link. The response is the same whether the account exists or not. */
export default function ForgotPage() {
  const [email, setEmail] = useState<string>()
  const form = useForm({
    initial: { email: '' },
    schema: z.object({ email: emailAddress }),
    submit: (values) => api('POST /api/auth/forgot', { body: { email: values.email.trim() } }),
    done: (_answer, values) => setEmail(values.email.trim()),
  })
  const below = (
    <Text muted>
      <Link to={paths.signIn}>{t.backToSignIn}</Link>
    </Text>
  )
  if (email !== undefined) {
    return (
      <Entrance key="sent" title={t.checkMail} below={below}>
        <Done title={t.resetSent({ email })}>{t.resetSentText}</Done>
      </Entrance>
    )
  }
  return (
    <Entrance title={t.forgot} lead={t.forgotLead} below={below}>
      <Form
        form={form}
        submitText={t.sendLink}
        submitFull
        disabledBecause={form.values.email.trim() === '' ? t.emailMissing : undefined}
      >
        <EmailField {...form.field('email')} />
      </Form>
      <Text muted>
        {rich(t.noMail({ link: (text) => <Link to={paths.recover}>{text}</Link> }))}
      </Text>
    </Entrance>
  )
}
