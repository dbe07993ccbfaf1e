import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { QrCode } from '../../ui/data/qr-code.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Sets up an authenticator: scan, then confirm with a code. */
export function TotpSetUp({ onDone }: { onDone: (recoveryCodes: readonly string[]) => void }) {
  const setUp = useQuery({
    queryKey: ['totp-set-up'],
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
          <Text>{t.scan}</Text>
          <QrCode text={uri} label={t.qrCode} />
          <Text small muted>
            {t.cannotScan}
          </Text>
          <Copyable value={secret} label={t.copySecret} />
          <Form
            form={form}
            submitText={t.confirmAuthenticator}
            disabledBecause={short ? t.typeDigits : undefined}
          >
            <TextField
              label={t.code}
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
