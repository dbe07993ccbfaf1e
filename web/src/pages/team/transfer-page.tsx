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
import { t } from './words.ts'

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
    <Page title={t.become} narrow>
      {done ? (
        <Note
          tone="ok"
          role="status"
          title={t.isSuper}
          action={<LinkButton to={paths.team}>{t.seeTeam}</LinkButton>}
        >
          {t.isSuperText}
        </Note>
      ) : token === '' ? (
        <Note tone="warn" title={t.noLink}>
          {t.noLinkText}
        </Note>
      ) : (
        <Card>
          <Form
            form={form}
            submitText={t.takeRole}
            disabledBecause={empty ? t.identityMissing : undefined}
          >
            <Text>{t.takeText({ email: me.email })}</Text>
            <IdentityFields password={form.field('password')} code={form.field('code')} />
          </Form>
        </Card>
      )}
    </Page>
  )
}
