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
import { rich } from '../../ui/page/rich.ts'
import { PasswordChoice } from './password-choice.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

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
      toastDone(t.passwordSet)
      client.clear()
      await router.invalidate()
      await router.navigate({
        to: answer?.requires2fa === false ? paths.home : paths.signIn,
      })
    },
  })
  if (token === '') {
    return (
      <Entrance title={t.choosePassword}>
        <Note tone="warn" title={t.noLink}>
          {t.openOrNew}
        </Note>
        <LinkButton to={paths.forgot} size="large">
          {t.newLink}
        </LinkButton>
      </Entrance>
    )
  }
  return (
    <Entrance title={t.choosePassword} lead={t.choosePasswordLead}>
      <Form
        form={form}
        submitText={t.setPassword}
        submitFull
        disabledBecause={form.values.password === '' ? t.passwordMissing : undefined}
      >
        <PasswordChoice label={t.password} field={form.field('password')} />
      </Form>
      {form.refusal === undefined ? null : (
        <Text muted>
          {rich(t.linkOnce({ link: (text) => <Link to={paths.forgot}>{text}</Link> }))}
        </Text>
      )}
    </Entrance>
  )
}
