import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { wordOf } from '../../ui/data/known.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/** A returned node that was lost: why it is cordoned, what to do, and a button to uncordon it. */
export function CordonNote({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const uncordon = useAct('POST /api/nodes/{id}/uncordon', [
    'GET /api/nodes',
    'GET /api/nodes/{id}',
  ])
  const { cordon, id, name, state } = node
  if (state !== 'cordoned' || cordon?.because !== 'failover') return null
  return (
    <Note
      tone="warn"
      title={t.isBack({ node: name })}
      action={
        <Button
          size="small"
          busy={uncordon.isPending}
          disabledBecause={missing}
          onClick={() =>
            uncordon.mutate(
              { params: { id } },
              { onError: (error) => toastRefused(t.notChanged, error) },
            )
          }
        >
          {t.uncordon}
        </Button>
      }
    >
      {rich(
        t.isBackText({
          when: () => <Ago at={cordon.since} />,
          failover: (text) => <Link to={paths.failover}>{text}</Link>,
        }),
      )}
    </Note>
  )
}

const CAUSES = {
  failover: () => t.cordonedLost,
  evacuation: () => t.cordonedEvacuation,
  person: () => t.cordonedPerson,
} as const

/** Since when and why a node is cordoned. */
export function CordonCause({ cordon }: { cordon: NonNullable<Node['cordon']> }) {
  const { because, since } = cordon
  return rich(t.notSince({ why: wordOf(CAUSES, because), when: () => <Ago at={since} /> }))
}
