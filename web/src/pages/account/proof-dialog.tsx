import { useMutation, useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { settleProof } from '../../session/proof.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Column, Text } from '../../ui/layout.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { askPasskey, passkeysWork } from '../sign-in/passkey.ts'

type Factors = Reply<'GET /api/auth/factors'>

const shown = (): void => settleProof(true)

/** Asks once more who somebody is, before what is dangerous goes on. */
export default function ProofDialog() {
  const factors = useQuery(q('GET /api/auth/factors'))
  return (
    <Dialog opened title="Confirm that it is you" onClose={() => settleProof(false)}>
      <Column>
        <Text muted>
          This could do harm in the wrong hands. Afterwards you are not asked for ten minutes.
        </Text>
        <Loaded query={factors} lines={3}>
          {(found) =>
            found.totp || found.passkeys > 0 ? <ByFactor factors={found} /> : <ByPassword />
          }
        </Loaded>
      </Column>
    </Dialog>
  )
}

async function proveByPasskey(): Promise<void> {
  const response = await askPasskey(await api('POST /api/auth/step-up/passkey/options'))
  await api('POST /api/auth/step-up/passkey', { body: { response } })
}

function ByFactor({ factors }: { factors: Factors }) {
  const passkey = useMutation({ mutationFn: proveByPasskey, onSuccess: shown })
  const form = useForm({
    initial: { code: '' },
    submit: ({ code }) => api('POST /api/auth/step-up', { body: { code: code.trim() } }),
    done: shown,
  })
  const offersPasskey = factors.passkeys > 0
  return (
    <>
      {offersPasskey ? (
        <Button
          kind="primary"
          full
          icon={<KeyRound />}
          busy={passkey.isPending}
          disabledBecause={passkeysWork() ? undefined : 'This browser cannot use passkeys here'}
          data-autofocus
          onClick={() => passkey.mutate()}
        >
          Use a passkey
        </Button>
      ) : null}
      {passkey.error ? <ProblemNote error={passkey.error} /> : null}
      <Form
        form={form}
        label="Confirm by code"
        submitText="Confirm"
        submitKind={offersPasskey ? 'default' : 'primary'}
        disabledBecause={form.values.code.trim() === '' ? 'Type the code first' : undefined}
      >
        <TextField
          label={factors.totp ? 'Code' : 'Recovery code'}
          description={
            factors.totp
              ? 'Six digits from your authenticator, or a recovery code'
              : 'One of the codes you kept when you set up the passkey'
          }
          autoComplete="one-time-code"
          autoFocus={!offersPasskey}
          mono
          {...form.field('code')}
        />
      </Form>
    </>
  )
}

function ByPassword() {
  const form = useForm({
    initial: { password: '' },
    submit: (values) => api('POST /api/auth/step-up', { body: values }),
    done: shown,
  })
  return (
    <Form
      form={form}
      label="Confirm by password"
      submitText="Confirm"
      disabledBecause={form.values.password === '' ? 'Enter your password' : undefined}
    >
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        autoFocus
        {...form.field('password')}
      />
    </Form>
  )
}
