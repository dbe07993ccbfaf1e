import { useMutation, useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { meQuery, useMe, useSignOut } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { OwnAppeal } from '../suspensions/own-appeal.tsx'
import { OwnData } from '../suspensions/own-data.tsx'
import { OwnNotice } from '../suspensions/own-notice.tsx'
import { StillOpen, useStillOpen, WaysLeft } from '../suspensions/still-open.tsx'
import { t } from '../suspensions/words.ts'
import { Entrance } from './sign-in/entrance.tsx'

const ASK_MS = 15_000

/** The only page of a suspended account: what happened, what still works, the appeal, and a way to sign out. */
export default function SuspendedPage() {
  const me = useMe()
  const signOut = useMutation({ mutationFn: useSignOut() })
  // Continues without a reload once the suspension is lifted.
  useQuery({ ...meQuery, refetchInterval: ASK_MS })
  const own = useQuery({ ...q('GET /api/suspension'), refetchInterval: ASK_MS })
  const isStillOpen = useStillOpen(own.data?.suspension)
  if (isStillOpen) return <StillOpen />
  return (
    <Entrance title={t.ownTitle} lead={t.ownLead({ email: me.email })}>
      <Column gap={20}>
        <Loaded query={own} lines={4}>
          {({ suspension }) =>
            suspension ? (
              <>
                <OwnNotice suspension={suspension} />
                <OwnAppeal standing={suspension.appeal} readOnly={me.viewing !== null} />
                <WaysLeft {...suspension} />
                {suspension.mayExportData ? <OwnData /> : null}
              </>
            ) : null
          }
        </Loaded>
        {signOut.error ? <ProblemNote error={signOut.error} /> : null}
        <Button size="large" full busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t.signOut}
        </Button>
      </Column>
    </Entrance>
  )
}
