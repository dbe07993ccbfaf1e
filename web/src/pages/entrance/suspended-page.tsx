import { useMutation, useQuery } from '@tanstack/react-query'
import { meQuery, useMe, useSignOut } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Entrance } from './sign-in/entrance.tsx'

const ASK_MS = 15_000

/** The only page of a suspended account: what happened, whom to contact, and a way to sign out. */
export default function SuspendedPage() {
  const me = useMe()
  const signOut = useMutation({ mutationFn: useSignOut() })
  // Continues without a reload once the suspension is lifted.
  useQuery({ ...meQuery, refetchInterval: ASK_MS })
  const host = me.role === 'admin' ? 'the super administrator' : 'your host'
  return (
    <Entrance
      title="Your account is suspended"
      lead={`You are signed in as ${me.email}, but nothing opens until ${host} lifts the suspension.`}
    >
      <Note tone="warn" title={`Write to ${host}`}>
        Only they can tell you why it was suspended and what can be done. Name the address of this
        account. This page goes on by itself once it is lifted.
      </Note>
      {signOut.error ? <ProblemNote error={signOut.error} /> : null}
      <Button size="large" full busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </Entrance>
  )
}
