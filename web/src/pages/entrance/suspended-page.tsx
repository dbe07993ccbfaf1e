import { useMutation, useQuery } from '@tanstack/react-query'
import { meQuery, useMe, useSignOut } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

const ASK_MS = 15_000

/** The only page of a suspended account: what happened, whom to contact, and a way to sign out. */
export default function SuspendedPage() {
  const me = useMe()
  const signOut = useMutation({ mutationFn: useSignOut() })
  // Continues without a reload once the suspension is lifted.
  useQuery({ ...meQuery, refetchInterval: ASK_MS })
  return (
    <Entrance title={t.suspended} lead={t.suspendedLead({ email: me.email, role: me.role })}>
      <Note tone="warn" title={t.suspendedWrite({ role: me.role })}>
        {t.suspendedText}
      </Note>
      {signOut.error ? <ProblemNote error={signOut.error} /> : null}
      <Button size="large" full busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t.signOut}
      </Button>
    </Entrance>
  )
}
