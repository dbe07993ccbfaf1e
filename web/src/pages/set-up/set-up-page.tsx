import { emailAddress, newPassword } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { EmailField } from '../entrance/sign-in/email-field.tsx'
import { Entrance } from '../entrance/sign-in/entrance.tsx'
import { PasswordMeter } from './password-meter.tsx'
import { Steps } from './steps.tsx'
import { t } from './words.ts'

const Input = z.object({ email: emailAddress, password: newPassword })

/** The first page of a new installation: creates its first administrator and signs them in. */
export default function SetUpPage() {
  const router = useRouter()
  const client = useQueryClient()
  const form = useForm({
    initial: { email: '', password: '' },
    schema: Input,
    submit: (values) => api('POST /api/auth/bootstrap', { body: values }),
    done: async () => {
      client.clear()
      await router.invalidate()
      await router.navigate({ to: paths.setUpNode })
    },
  })
  return (
    <Entrance title={t.title} lead={t.lead}>
      <Steps now={0} />
      <Form form={form} submitText={t.createAdministrator} submitFull>
        <EmailField {...form.field('email')} />
        <PasswordField label={t.password} autoComplete="new-password" {...form.field('password')} />
        <PasswordMeter password={form.values.password} />
      </Form>
    </Entrance>
  )
}
