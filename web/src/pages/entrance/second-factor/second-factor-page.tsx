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
import { t } from '../words.ts'

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
      <Entrance key="codes" title={t.codes}>
        <Text>{t.codesText}</Text>
        <RecoveryCodeBox codes={codes} />
        <Button kind="primary" size="large" full onClick={() => void goOn()}>
          {t.codesKept}
        </Button>
      </Entrance>
    )
  }
  const below = (
    <Button
      kind="quiet"
      full
      onClick={() => void signOut().catch((error) => toastRefused(t.notSignedOut, error))}
    >
      {t.signOut}
    </Button>
  )
  if (byTotp) {
    return (
      <Entrance key="totp" title={t.setUpApp}>
        <TotpSetUp onDone={setCodes} />
        <Button kind="quiet" full onClick={() => setByTotp(false)}>
          {t.passkeyInstead}
        </Button>
      </Entrance>
    )
  }
  return (
    <Entrance title={t.setUpFactor} lead={t.setUpFactorLead} below={below}>
      <Column gap={10}>
        <PasskeyButton size="large" use={passkey} />
        <Text small muted>
          {whyNoPasskeys() ?? t.passkeyText}
        </Text>
        {passkey.error ? <ProblemNote error={passkey.error} /> : null}
        <Button size="large" full icon={<Smartphone />} onClick={() => setByTotp(true)}>
          {t.useApp}
        </Button>
        <Text small muted>
          {t.useAppText}
        </Text>
      </Column>
      {me.data ? (
        <Text small muted>
          {t.signedInAs({ email: me.data.email })}
        </Text>
      ) : null}
    </Entrance>
  )
}
