import { emailAddress } from '@lodge/shared/accounts.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Done } from './done.tsx'
import { EmailField } from './sign-in/email-field.tsx'
import { Entrance } from './sign-in/entrance.tsx'

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
      <Link to={paths.signIn}>Back to sign-in</Link>
    </Text>
  )
  if (email !== undefined) {
    return (
      <Entrance key="sent" title="Look into your mail" below={below}>
        <Done title={`If ${email} has an account, a link is on its way`}>
          It works once and for a while. Nothing there? Look into the spam folder, then ask again.
        </Done>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Forgot your password?"
      lead="A link to a new one comes by mail. Your second factor stays as it is."
      below={below}
    >
      <Form
        form={form}
        submitText="Send the link"
        submitFull
        disabledBecause={form.values.email.trim() === '' ? 'Enter your e-mail' : undefined}
      >
        <EmailField {...form.field('email')} />
      </Form>
      <Text muted>
        No mail reaches you? <Link to={paths.recover}>Use a recovery code</Link>
      </Text>
    </Entrance>
  )
}
