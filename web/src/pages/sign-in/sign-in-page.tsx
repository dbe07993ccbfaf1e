import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { safeNext } from '../../session/session.ts'
import { Entrance } from './entrance.tsx'
import { PasswordStep } from './password-step.tsx'

/** Sign-in. The card holds one step at a time, so that further steps can follow the password. */
export default function SignInPage() {
  const { next } = useSearch({ from: '/login' })
  const router = useRouter()
  const client = useQueryClient()
  const enter = async (): Promise<void> => {
    client.clear()
    await router.invalidate()
    await router.navigate({ href: safeNext(next) })
  }
  return (
    <Entrance title="Sign in to Lodge">
      <PasswordStep
        submit={(values) => api('POST /api/auth/login', { body: { ...values, stepwise: true } })}
        done={() => void enter()}
      />
    </Entrance>
  )
}
