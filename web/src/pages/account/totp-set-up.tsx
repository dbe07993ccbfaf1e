import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { QrCode } from '../../ui/data/qr-code.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'

/** Sets up an authenticator: scan, then confirm with a code. */
export function TotpSetUp({ onDone }: { onDone: (recoveryCodes: readonly string[]) => void }) {
  const setUp = useQuery({
    queryKey: ['totp set-up'],
    queryFn: () => api('POST /api/auth/totp/setup'),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const form = useForm({
    initial: { code: '' },
    submit: (values) => api('POST /api/auth/totp/confirm', { body: values }),
    done: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const short = form.values.code.trim().length < 6
  return (
    <Loaded query={setUp} lines={4}>
      {({ uri, secret }) => (
        <Column gap={14}>
          <Text>Scan this with an authenticator app, then type the code that it shows.</Text>
          <QrCode text={uri} label="QR code of the authenticator’s secret" />
          <Text small muted>
            Cannot scan? Type this secret into the app instead.
          </Text>
          <Copyable value={secret} label="Copy the secret" />
          <Form
            form={form}
            submitText="Confirm authenticator"
            disabledBecause={short ? 'Type the six digits' : undefined}
          >
            <TextField
              label="Code"
              autoComplete="one-time-code"
              autoFocus
              {...form.field('code')}
            />
          </Form>
        </Column>
      )}
    </Loaded>
  )
}
