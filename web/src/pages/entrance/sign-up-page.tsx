import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { Done } from './done.tsx'
import { ResendButton } from './resend.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/**
 * Sign-up as the host allows it; afterwards it always points to the mail, so that it does not
 * reveal whether the account exists.
 */
export default function SignUpPage() {
  const config = useQuery(q('GET /api/signup/config'))
  const [email, setEmail] = useState<string>()
  if (email !== undefined) {
    return (
      <Entrance key="sent" title="Look into your mail" lead={`A link is on its way to ${email}.`}>
        <Done title="One step is left">
          The link in the mail confirms that the address is yours.
          {config.data?.mode === 'approval'
            ? ' After that, the host looks at your sign-up and you hear by mail.'
            : ''}
        </Done>
        <ResendButton email={email} />
        <Text small muted>
          Nothing there? Look into the spam folder. No mail comes if the address has an account
          already: then <Link to={paths.signIn}>sign in</Link>.
        </Text>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Create an account"
      below={
        <Text muted>
          You have one? <Link to={paths.signIn}>Sign in</Link>
        </Text>
      }
    >
      <Loaded query={config} lines={4}>
        {(loaded) =>
          loaded.mode === 'closed' ? (
            <Note tone="info" title="Sign-up is closed">
              The host makes accounts by hand here. Ask them for one.
            </Note>
          ) : (
            <Column>
              {loaded.mode === 'approval' ? (
                <Text muted>The host looks at every new account before it opens.</Text>
              ) : null}
              <SignUpForm config={loaded} onDone={setEmail} />
            </Column>
          )
        }
      </Loaded>
    </Entrance>
  )
}
