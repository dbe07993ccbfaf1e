import { newPassword } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { Entrance } from './sign-in/entrance.tsx'

/** Sets a password from an invitation or reset link; signs in people without a second factor. */
export default function AcceptPage() {
  const token = useFromLink('token')
  const router = useRouter()
  const client = useQueryClient()
  const form = useForm({
    initial: { password: '' },
    schema: z.object({ password: newPassword }),
    submit: async ({ password }) => {
      const { email } = await api('POST /api/auth/token/accept', { body: { token, password } })
      forgetHash()
      return api('POST /api/auth/login', { body: { email, password, stepwise: true } }).catch(
        () => undefined,
      )
    },
    done: async (answer) => {
      toastDone('Password set')
      client.clear()
      await router.invalidate()
      await router.navigate({
        to: answer?.requires2fa === false ? paths.home : paths.signIn,
      })
    },
  })
  if (token === '') {
    return (
      <Entrance title="Choose a password">
        <Note tone="warn" title="There is no link here">
          Open the link in the mail. If it has expired, ask for a new one.
        </Note>
        <LinkButton to={paths.forgot} size="large">
          Send a new link
        </LinkButton>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Choose a password"
      lead="With it you sign in from now on. Nobody else sees it, not even the host."
    >
      <Form
        form={form}
        submitText="Set the password"
        submitFull
        disabledBecause={form.values.password === '' ? 'Enter a password' : undefined}
      >
        <PasswordChoice label="Password" field={form.field('password')} />
      </Form>
      {form.refusal === undefined ? null : (
        <Text muted>
          A link works once. <Link to={paths.forgot}>Send a new link</Link>, or ask whoever invited
          you.
        </Text>
      )}
    </Entrance>
  )
}
