import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { useMe } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { IdentityFields } from './identity-fields.tsx'

/** Second half of the transfer: the successor accepts the role. */
export default function TransferPage() {
  const me = useMe()
  const token = useFromLink('token')
  const client = useQueryClient()
  const [done, setDone] = useState(false)
  const form = useForm({
    initial: { password: '', code: '' },
    submit: (values) => api('POST /api/team/transfer/confirm', { body: { token, ...values } }),
    done: () => {
      forgetHash()
      setDone(true)
      void client.invalidateQueries()
    },
  })
  const empty = form.values.password === '' || form.values.code.trim() === ''
  return (
    <Page title="Become the super administrator" narrow>
      {done ? (
        <Note
          tone="ok"
          role="status"
          title="You are the super administrator now"
          action={<LinkButton to={paths.team}>See the team</LinkButton>}
        >
          You hold every permission. The one before you is an administrator.
        </Note>
      ) : token === '' ? (
        <Note tone="warn" title="There is no link here">
          Open the link in the mail. If it has expired, ask the super administrator for a new one.
        </Note>
      ) : (
        <Card>
          <Form
            form={form}
            submitText="Take the role"
            disabledBecause={empty ? 'Enter your password and a code' : undefined}
          >
            <Text>
              You are signed in as {me.email}. With this you hold every permission, and whoever
              asked you becomes an administrator. Only you can hand it on.
            </Text>
            <IdentityFields password={form.field('password')} code={form.field('code')} />
          </Form>
        </Card>
      )}
    </Page>
  )
}
