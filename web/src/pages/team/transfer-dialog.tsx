import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import type { Administrator } from './administrator.ts'
import { IdentityFields } from './identity-fields.tsx'
import { t } from './words.ts'

/** First half of the transfer: the super administrator names a successor. */
export function TransferDialog({
  person,
  onClose,
}: {
  person: Administrator
  onClose: () => void
}) {
  const [until, setUntil] = useState<string>()
  const form = useForm({
    initial: { password: '', code: '' },
    submit: (values) => api('POST /api/team/transfer', { body: { userId: person.id, ...values } }),
    done: ({ expiresAt }) => setUntil(expiresAt),
  })
  const empty = form.values.password === '' || form.values.code.trim() === ''
  return (
    <Dialog fleeting opened title={t.handOver({ email: person.email })} onClose={onClose}>
      {until === undefined ? (
        <Form
          form={form}
          submitText={t.askTransfer}
          submitKind="danger"
          disabledBecause={empty ? t.identityMissing : undefined}
        >
          <Text>{t.transferText}</Text>
          <IdentityFields password={form.field('password')} code={form.field('code')} />
        </Form>
      ) : (
        <Column>
          <Note tone="ok" role="status" title={t.linkSent}>
            {rich(t.linkText({ when: () => <Ago at={until} /> }))}
          </Note>
          <Row>
            <Button kind="primary" onClick={onClose}>
              {t.close}
            </Button>
          </Row>
        </Column>
      )}
    </Dialog>
  )
}
