import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, api, type Reply } from '../../../api.ts'
import { brandName } from '../../../brand.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { safeNext } from '../../../session/session.ts'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Entrance } from './entrance.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'
import { t } from './words.ts'

type SignIn = Reply<'POST /api/auth/login'>
type Challenge = Extract<SignIn, { requires2fa: true }> & {
  /** The error that makes the second step mandatory for now. */
  because?: ApiError
}

/** After too many wrong passwords the error still offers a second step. */
async function signIn(values: { email: string; password: string }): Promise<SignIn | Challenge> {
  try {
    return await api('POST /api/auth/login', { body: { ...values, stepwise: true } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'sign_in_guarded') throw error
    const { challenge } = error.problem
    if (typeof challenge !== 'string') throw error
    return { requires2fa: true, methods: ['totp', 'passkey'], challenge, because: error }
  }
}

/** Sign-in: the password, then a second factor in the same card if the account has one. */
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
    <Entrance title={t.signInTitle({ name: brandName })} below={<Ways />}>
      <PasswordStep
        submit={signIn}
        done={(answer) => {
          if (answer.requires2fa) setChallenge(answer)
          else void enter()
        }}
      />
    </Entrance>
  ) : (
    <Entrance key="second" title={t.confirmYou}>
      {challenge.because ? <ProblemNote error={challenge.because} /> : null}
      <SecondStep
        challenge={challenge.challenge}
        methods={challenge.methods}
        onDone={() => void enter()}
        onBack={() => setChallenge(undefined)}
      />
    </Entrance>
  )
}

/** Links for people who cannot sign in. */
function Ways() {
  const config = useQuery(q('GET /api/signup/config'))
  return (
    <>
      <Link to={paths.forgot}>{t.forgot}</Link>
      {config.data && config.data.mode !== 'closed' ? (
        <Link to={paths.signUp} search>
          {t.createAccount}
        </Link>
      ) : null}
    </>
  )
}
