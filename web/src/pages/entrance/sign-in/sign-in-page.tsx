import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Reply } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { safeNext } from '../../../session/session.ts'
import { Entrance } from './entrance.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'

type Challenge = Extract<Reply<'POST /api/auth/login'>, { requires2fa: true }>

/** Sign-in: the password, then, when the account asks for it, a second step in the same card. */
export default function SignInPage() {
  const { next } = useSearch({ from: '/login' })
  const router = useRouter()
  const client = useQueryClient()
  const [challenge, setChallenge] = useState<Challenge>()
  const enter = async (): Promise<void> => {
    client.clear()
    await router.invalidate()
    await router.navigate({ href: safeNext(next) })
  }
  return challenge === undefined ? (
    <Entrance title="Sign in to Lodge" below={<Ways />}>
      <PasswordStep
        submit={(values) => api('POST /api/auth/login', { body: { ...values, stepwise: true } })}
        done={(answer) => {
          if (answer.requires2fa) setChallenge(answer)
          else void enter()
        }}
      />
    </Entrance>
  ) : (
    <Entrance key="second" title="Confirm it is you">
      <SecondStep
        challenge={challenge.challenge}
        methods={challenge.methods}
        onDone={() => void enter()}
        onBack={() => setChallenge(undefined)}
      />
    </Entrance>
  )
}

/** What else there is for somebody who cannot sign in. */
function Ways() {
  const config = useQuery(q('GET /api/signup/config'))
  return (
    <>
      <Link to={paths.forgot}>Forgot your password?</Link>
      {config.data && config.data.mode !== 'closed' ? (
        <Link to={paths.signUp}>Create an account</Link>
      ) : null}
    </>
  )
}
