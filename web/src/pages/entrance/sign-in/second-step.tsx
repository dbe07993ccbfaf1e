import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { CodeField } from './code-field.tsx'
import { askPasskey } from './passkey.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { t } from './words.ts'

interface SecondStepProps {
  challenge: string
  methods: readonly ('totp' | 'passkey')[]
  onDone: () => void
  onBack: () => void
}

/** The second factor: a passkey, or a code of the authenticator or of the recovery sheet. */
export function SecondStep({ challenge, methods, onDone, onBack }: SecondStepProps) {
  const form = useForm({
    initial: { code: '' },
    submit: ({ code }) => api('POST /api/auth/challenge', { body: { challenge, code } }),
    done: onDone,
  })
  const passkey = useMutation({ mutationFn: () => signInWithPasskey(challenge), onSuccess: onDone })
  const offersPasskey = methods.includes('passkey')
  return (
    <Column>
      {offersPasskey ? <PasskeyButton size="large" use={passkey} /> : null}
      {passkey.error ? <ProblemNote error={passkey.error} /> : null}
      <Form
        form={form}
        submitText={t.confirm}
        submitKind={offersPasskey ? 'default' : 'primary'}
        submitFull
      >
        <CodeField
          totp={methods.includes('totp')}
          autoFocus={!offersPasskey}
          {...form.field('code')}
        />
      </Form>
      <Button kind="quiet" full onClick={onBack}>
        {t.otherUser}
      </Button>
    </Column>
  )
}

async function signInWithPasskey(challenge: string): Promise<void> {
  const options = await api('POST /api/auth/passkey/options', { body: { challenge } })
  const response = await askPasskey(options)
  await api('POST /api/auth/passkey/verify', { body: { challenge, response } })
}
