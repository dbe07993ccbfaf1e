import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { meQuery, safeNext, useSignOut } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { addPasskey } from '../../account/new-passkey.ts'
import { RecoveryCodeBox } from '../../account/recovery-code-box.tsx'
import { TotpSetUp } from '../../account/totp-set-up.tsx'
import { Entrance } from '../sign-in/entrance.tsx'
import { whyNoPasskeys } from '../sign-in/passkey.ts'
import { PasskeyButton } from '../sign-in/passkey-button.tsx'

/** Set-up of a second factor, which an administrator cannot skip. */
export default function SecondFactorPage() {
  const { next } = useSearch({ from: '/second-factor' })
  const me = useQuery(meQuery)
  const client = useQueryClient()
  const router = useRouter()
  const signOut = useSignOut()
  const [codes, setCodes] = useState<readonly string[]>()
  const [byTotp, setByTotp] = useState(false)
  const passkey = useMutation({
    mutationFn: addPasskey,
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes ?? []),
  })
  const goOn = async (): Promise<void> => {
    client.clear()
    await router.invalidate()
    await router.navigate({ href: safeNext(next) })
  }
  if (codes !== undefined) {
    return (
      <Entrance key="codes" title="Keep these recovery codes">
        <Text>
          Each signs you in once when you have lost your other factors. They are not shown again:
          keep them where you keep passwords.
        </Text>
        <RecoveryCodeBox codes={codes} />
        <Button kind="primary" size="large" full onClick={() => void goOn()}>
          I have kept them
        </Button>
      </Entrance>
    )
  }
  const below = (
    <Button
      kind="quiet"
      full
      onClick={() => void signOut().catch((error) => toastRefused('Not signed out', error))}
    >
      Sign out
    </Button>
  )
  if (byTotp) {
    return (
      <Entrance key="totp" title="Set up an authenticator">
        <TotpSetUp onDone={setCodes} />
        <Button kind="quiet" full onClick={() => setByTotp(false)}>
          Use a passkey instead
        </Button>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Set up a second factor"
      lead="Administrators sign in with two: a password that was stolen then opens nothing."
      below={below}
    >
      <Column gap={10}>
        <PasskeyButton size="large" use={passkey} />
        <Text small muted>
          {whyNoPasskeys() ?? 'Your fingerprint, face, device PIN or a security key. The quickest.'}
        </Text>
        {passkey.error ? <ProblemNote error={passkey.error} /> : null}
        <Button size="large" full icon={<Smartphone />} onClick={() => setByTotp(true)}>
          Use an authenticator app
        </Button>
        <Text small muted>
          Six digits from an app on your phone, with every sign-in.
        </Text>
      </Column>
      {me.data ? (
        <Text small muted>
          You are signed in as {me.data.email}.
        </Text>
      ) : null}
    </Entrance>
  )
}
