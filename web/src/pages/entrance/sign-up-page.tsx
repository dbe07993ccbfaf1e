import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { keepWantedPage } from '../../session/wanted-page.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Done } from './done.tsx'
import { ResendButton } from './resend.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { t } from './words.ts'

/**
 * Sign-up as the host allows it; afterwards it always points to the mail, so that it does not
 * reveal whether the account exists.
 */
export default function SignUpPage() {
  const config = useQuery(q('GET /api/signup/config'))
  const [email, setEmail] = useState<string>()
  const { next } = useSearch({ strict: false })
  const toSignIn = (text: string) => (
    <Link to={paths.signIn} search={next === undefined ? {} : { next }}>
      {text}
    </Link>
  )
  if (email !== undefined) {
    return (
      <Entrance key="sent" title={t.checkMail} lead={t.linkOnWay({ email })}>
        <Done title={t.oneStep}>
          {config.data?.mode === 'approval' ? t.oneStepApproval : t.oneStepText}
        </Done>
        <ResendButton email={email} />
        <Text small muted>
          {rich(t.nothingThere({ link: toSignIn }))}
        </Text>
      </Entrance>
    )
  }
  return (
    <Entrance
      title={t.createAccount}
      below={<Text muted>{rich(t.haveAccount({ link: toSignIn }))}</Text>}
    >
      <Loaded query={config} lines={4}>
        {(loaded) =>
          loaded.mode === 'closed' ? (
            <Note tone="info" title={t.closed}>
              {t.closedText}
            </Note>
          ) : (
            <Column>
              {loaded.mode === 'approval' ? <Text muted>{t.hostChecks}</Text> : null}
              <SignUpForm
                config={loaded}
                onDone={(email) => {
                  keepWantedPage(next)
                  setEmail(email)
                }}
              />
            </Column>
          )
        }
      </Loaded>
    </Entrance>
  )
}
