import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { settleProof } from '../../session/proof.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { PasswordField } from '../../ui/fields/password-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { CodeField } from '../entrance/sign-in/code-field.tsx'
import { askPasskey } from '../entrance/sign-in/passkey.ts'
import { PasskeyButton } from '../entrance/sign-in/passkey-button.tsx'
import { t } from './words.ts'

type Factors = Reply<'GET /api/auth/factors'>

const shown = (): void => settleProof(true)

/** The step-up dialog: confirms the person's identity before a dangerous action. */
export default function ProofDialog() {
  const factors = useQuery(q('GET /api/auth/factors'))
  return (
    <Dialog fleeting opened title={t.proof} onClose={() => settleProof(false)}>
      <Column>
        <Text muted>{t.proofText}</Text>
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
      {offersPasskey ? <PasskeyButton use={passkey} first /> : null}
      {passkey.error ? <ProblemNote error={passkey.error} /> : null}
      <Form
        form={form}
        label={t.proofByCode}
        submitText={t.confirm}
        submitKind={offersPasskey ? 'default' : 'primary'}
        disabledBecause={form.values.code.trim() === '' ? t.typeCode : undefined}
      >
        <CodeField totp={factors.totp} autoFocus={!offersPasskey} {...form.field('code')} />
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
      label={t.proofByPassword}
      submitText={t.confirm}
      disabledBecause={form.values.password === '' ? t.enterPassword : undefined}
    >
      <PasswordField
        label={t.yourPassword}
        autoComplete="current-password"
        autoFocus
        {...form.field('password')}
      />
    </Form>
  )
}
