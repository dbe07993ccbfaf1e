import { useNavigate } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { Ago } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/** Says what is lost and what happens if the machine is still running, and begins. */
export function DeclareDialog(props: {
  plan: Reply<'POST /api/failover/plan'>
  onClose: () => void
}) {
  const { plan, onClose } = props
  const { node, servers, moves } = plan
  const navigate = useNavigate()
  const begin = useAct('POST /api/failover/run', [
    'GET /api/failover/status',
    'GET /api/nodes',
    'GET /api/nodes/{id}',
    'GET /api/jobs',
  ])
  const back = servers.filter(({ why }) => why === null)
  const restored = back.filter(({ storage }) => storage === null)
  const staying = servers.length - back.length
  const [oldest] = back.flatMap(({ backup }) => backup?.createdAt ?? []).toSorted()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.declareTitle({ node: node.name })}
      verb={
        back.length === 0
          ? t.declareTitle({ node: node.name })
          : t.declareVerb({ count: back.length })
      }
      typed={node.name}
      onConfirm={async () => {
        await begin.mutateAsync({ body: { nodeId: node.id, confirm: node.name } })
        await navigate({ to: paths.failover })
      }}
    >
      <Column gap={14}>
        {restored.length === 0 ? null : (
          <Text>{t.declareQuestion({ count: restored.length })}</Text>
        )}
        {back.length === restored.length ? null : (
          <Text>{t.declareWhole({ count: back.length - restored.length })}</Text>
        )}
        {oldest === undefined ? null : (
          <Text>{rich(t.declareOldest({ when: () => <Ago at={oldest} /> }))}</Text>
        )}
        {staying === 0 ? null : <Text>{t.declareStaying({ count: staying })}</Text>}
        {moves.length === 0 ? null : <Text>{t.declareMoves({ count: moves.length })}</Text>}
        <Note tone="warn">{t.declareSure}</Note>
      </Column>
    </ConfirmDialog>
  )
}
