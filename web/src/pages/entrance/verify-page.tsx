import { newPassword } from '@lodge/shared/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { ApiError, api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { wantedPage } from '../../session/wanted-page.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { Done } from './done.tsx'
import { isOver, LinkRefusal } from './link-refusal.tsx'
import { PasswordChoice } from './password-choice.tsx'
import { ResendForm } from './resend.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

/** Confirms an address from the link of a mail. Requires a click, because mail scanners open links too. */
export default function VerifyPage() {
  const token = useFromLink('token')
  const next = wantedPage()
  const [needsPassword, setNeedsPassword] = useState(false)
  const confirm = useMutation({
    mutationFn: (given: { password?: string }) =>
      api('POST /api/auth/verify', { body: { token, ...given } }),
    onSuccess: forgetHash,
    onError: (error) => {
      if (isAboutPassword(error)) setNeedsPassword(true)
    },
  })
  if (confirm.data?.state === 'active') {
    return (
      <Entrance key="active" title={t.confirmed}>
        <Done
          title={t.accountOpen}
          action={
            <LinkButton
              to={paths.signIn}
              search={next === undefined ? {} : { next }}
              kind="primary"
              size="large"
            >
              {t.signIn}
            </LinkButton>
          }
        >
          {t.accountOpenText}
        </Done>
      </Entrance>
    )
  }
  if (confirm.data) {
    return (
      <Entrance key="pending" title={t.confirmed}>
        <Note tone="info" role="status" title={t.hostReviews}>
          {t.hostReviewsText}
        </Note>
      </Entrance>
    )
  }
  const isSpent = isOver(confirm.error)
  if (needsPassword && !isSpent)
    return (
      <Entrance key="password" title={t.signedUpTwice} lead={t.signedUpTwiceLead}>
        <PasswordForm submit={(password) => confirm.mutateAsync({ password })} />
      </Entrance>
    )
  const stale = token === '' || isSpent
  return (
    <Entrance title={t.confirmAddress} {...(stale ? {} : { lead: t.confirmAddressLead })}>
      {token === '' ? (
        <Note tone="warn" title={t.noLink}>
          {t.openOrResend}
        </Note>
      ) : isSpent ? null : (
        <Button
          kind="primary"
          size="large"
          full
          autoFocus
          busy={confirm.isPending}
          onClick={() => confirm.mutate({})}
        >
          {t.confirmMine}
        </Button>
      )}
      {confirm.error ? (
        <LinkRefusal error={confirm.error}>{t.linkOverConfirmed}</LinkRefusal>
      ) : null}
      {isSpent ? (
        <LinkButton to={paths.signIn} kind="primary" size="large">
          {t.signIn}
        </LinkButton>
      ) : null}
      {stale ? (
        <Column gap={10}>
          <Text muted>{t.linkOnceNew}</Text>
          <ResendForm kind={isSpent ? 'default' : 'primary'} />
        </Column>
      ) : null}
    </Entrance>
  )
}

/** Whether an address was signed up with more than once, so that no password of these stands. */
const isAboutPassword = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.problem.errors?.some(({ pointer }) => pointer === '/password') === true

function PasswordForm({ submit }: { submit: (password: string) => Promise<unknown> }) {
  const form = useForm({
    initial: { password: '' },
    schema: z.object({ password: newPassword }),
    submit: ({ password }) => submit(password),
  })
  return (
    <Form
      form={form}
      submitText={t.confirmWithPassword}
      submitFull
      disabledBecause={form.values.password === '' ? t.passwordMissing : undefined}
    >
      <PasswordChoice label={t.password} field={form.field('password')} />
    </Form>
  )
}
