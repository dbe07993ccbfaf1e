import { PasskeyName } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { addPasskey, nameOfThisDevice } from './new-passkey.ts'
import { t } from './words.ts'

interface PasskeyDialogProps {
  onClose: () => void
  onDone: (recoveryCodes: readonly string[] | null) => void
}

/** Names a passkey before the browser asks for it: it cannot be renamed. */
export function PasskeyDialog({ onClose, onDone }: PasskeyDialogProps) {
  const form = useForm({
    initial: { name: nameOfThisDevice() },
    // Before the device stores a passkey that the panel would then refuse.
    schema: z.object({ name: PasskeyName }),
    submit: ({ name }) => addPasskey(name),
    refreshes: ['GET /api/auth/passkeys', 'GET /api/auth/factors', 'GET /api/auth/me'],
    done: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Dialog fleeting title={t.addPasskey} opened onClose={onClose}>
      <Column gap={14}>
        <Text>{t.passkeyText}</Text>
        <Form
          form={form}
          submitText={t.addPasskey}
          disabledBecause={form.values.name.trim() === '' ? t.passkeyNameMissing : undefined}
        >
          <TextField
            label={t.name}
            description={t.passkeyNameHelp}
            autoComplete="off"
            autoFocus
            {...form.field('name')}
          />
        </Form>
      </Column>
    </Dialog>
  )
}
