import { newPassword, personName } from '@lodge/shared/accounts.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { z } from 'zod'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash } from '../../session/link-token.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { LinkRefusal } from './link-refusal.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { t } from './words.ts'

export type Invitation = Reply<'POST /api/invitations/look'>

/** Navigates to the server, through sign-in if necessary. */
function useOpen(): (serverId: string, signedIn: boolean) => Promise<void> {
  const router = useRouter()
  const client = useQueryClient()
  return async (serverId, signedIn) => {
    forgetHash()
    client.clear()
    const next = panelPath('server', { id: serverId })
    await router.invalidate()
    if (signedIn) await router.navigate({ href: next })
    else await router.navigate({ to: paths.signIn, search: { next } })
    toastDone(t.hasAccess)
  }
}

/** Accepts the invitation for an existing account. Requires a click, because mail scanners open links too. */
export function AcceptShare({ token, signedIn }: { token: string; signedIn: boolean }) {
  const open = useOpen()
  const accept = useMutation({
    mutationFn: () => api('POST /api/invitations/accept', { body: { token } }),
    onSuccess: ({ serverId }) => open(serverId, signedIn),
  })
  return (
    <>
      <Button
        kind="primary"
        size="large"
        full
        autoFocus
        busy={accept.isPending}
        onClick={() => accept.mutate()}
      >
        {signedIn ? t.acceptOpen : t.acceptSignIn}
      </Button>
      {accept.error ? <LinkRefusal error={accept.error} /> : null}
    </>
  )
}

/** A new person chooses a password, is signed in and sees the server. */
export function JoinAsNew({ token }: { token: string }) {
  const open = useOpen()
  const form = useForm({
    initial: { name: '', password: '' },
    schema: z.object({ name: z.union([z.literal(''), personName]), password: newPassword }),
    submit: async ({ name, password }) => {
      const given = name.trim() === '' ? {} : { name: name.trim() }
      const body = { token, password, ...given }
      const { email, serverId } = await api('POST /api/invitations/accept', { body })
      const signedIn = await api('POST /api/auth/login', {
        body: { email, password, stepwise: true },
      }).then(
        (answer) => !answer.requires2fa,
        () => false,
      )
      return { serverId, signedIn }
    },
    done: ({ serverId, signedIn }) => void open(serverId, signedIn),
  })
  return (
    <Form
      form={form}
      submitText={t.createAccept}
      submitFull
      disabledBecause={form.values.password === '' ? t.passwordMissing : undefined}
    >
      <TextField label={t.yourName} autoComplete="name" {...form.field('name')} />
      <PasswordChoice label={t.password} field={form.field('password')} />
    </Form>
  )
}

/** The invitation is for another account than the signed-in one, so it is not accepted by mistake. */
export function OtherAccount({ signedInAs, invited }: { signedInAs: string; invited: string }) {
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => api('POST /api/auth/logout'),
    onSuccess: () => client.resetQueries({ queryKey: ['GET /api/auth/me'] }),
  })
  return (
    <>
      <Note tone="warn" title={t.signedInAsOther({ email: signedInAs })}>
        {t.otherAccount({ email: invited })}
      </Note>
      <Button
        kind="primary"
        size="large"
        full
        busy={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        {t.signOutGoOn}
      </Button>
      {signOut.error ? <ProblemNote error={signOut.error} /> : null}
    </>
  )
}
