import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import type { Administrator } from './administrator.ts'
import { IdentityFields } from './identity-fields.tsx'

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
    <Dialog opened title={`Hand everything over to ${person.email}?`} onClose={onClose}>
      {until === undefined ? (
        <Form
          form={form}
          submitText="Ask for the transfer"
          submitKind="danger"
          disabledBecause={empty ? 'Enter your password and a code' : undefined}
        >
          <Text>
            They become the super administrator as soon as they confirm. You stay an administrator,
            without the permissions to manage the team and API tokens.
          </Text>
          <IdentityFields password={form.field('password')} code={form.field('code')} />
        </Form>
      ) : (
        <Column>
          <Note tone="ok" role="status" title="A link is on its way to them">
            Nothing changes until they confirm it. It ends <Ago at={until} />. Asking again, also
            for somebody else, ends this link.
          </Note>
          <Row end>
            <Button kind="primary" onClick={onClose}>
              Close
            </Button>
          </Row>
        </Column>
      )}
    </Dialog>
  )
}
