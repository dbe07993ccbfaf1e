import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../../../api.ts'
import { why } from '../../../../panel/said.ts'
import { q, useAct } from '../../../../query.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tick } from '../../../../ui/choices/tick.tsx'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { duration } from '../../../../ui/data/time-words.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { useLacking } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { ChangeStorage } from './change-storage.tsx'
import { LastMove } from './last-move.tsx'
import { MoveTargets, usePlaceChoice } from './move-targets.tsx'
import { t } from './words.ts'

type Targets = Reply<'GET /api/servers/{id}/migration-targets'>
type Target = Targets['items'][number]

/** Where a container server can move, why not elsewhere, and the move itself. */
export function ContainerMove() {
  const server = useServer()
  const whyNot = useLacking(server.id)('POST /api/servers/{id}/migrate', 'settings.move')
  const [target, setTarget] = useState<Target>()
  const targets = useQuery({
    ...q('GET /api/servers/{id}/migration-targets', { params: { id: server.id } }),
    refetchInterval: 15_000,
  })
  return (
    <Stack>
      <LastMove />
      <ChangeStorage
        here={targets.data?.here}
        whyNot={whyNot ?? why(targets.data?.why)}
        copySeconds={targets.data?.changeEstimate?.copySeconds ?? null}
      />
      <MoveTargets
        query={targets}
        whyNot={whyNot ?? why(targets.data?.why)}
        doesNotFit={t.doesNotFit}
        noOtherNodeText={t.noOtherNodeText}
        onChoose={setTarget}
      />
      <Text small muted>
        {targets.data?.bytes
          ? t.moveTextSize({ node: server.nodeName, size: formatBytes(targets.data.bytes) })
          : t.moveText({ node: server.nodeName })}
      </Text>
      {target && targets.data ? (
        <MoveDialog
          key={target.nodeId}
          target={target}
          targets={targets.data}
          onClose={() => setTarget(undefined)}
        />
      ) : null}
    </Stack>
  )
}

function MoveDialog(props: { target: Target; targets: Targets; onClose: () => void }) {
  const { target, targets, onClose } = props
  const { backupsLeft } = targets
  const place = usePlaceChoice(target)
  const estimate = place.isChanged ? targets.changeEstimate : targets.estimate
  const server = useServer()
  const migrate = useAct('POST /api/servers/{id}/migrate', [
    'GET /api/jobs',
    'GET /api/servers/{id}',
    'GET /api/servers/{id}/migration-targets',
  ])
  const [agreed, setAgreed] = useState(false)
  const asks = backupsLeft > 0
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.moveTitle({ server: server.name, node: target.nodeName })}
      verb={t.move}
      kind="primary"
      onConfirm={() =>
        migrate.mutateAsync({
          params: { id: server.id },
          body: {
            nodeId: target.nodeId,
            ...place.body,
            ...(asks && { confirmBackupsLeft: agreed }),
          },
        })
      }
      disabledBecause={asks && !agreed ? t.agreeFirst : undefined}
    >
      <Stack gap={14}>
        {place.field ? (
          <SelectField label={t.files} description={t.filesText} {...place.field} />
        ) : null}
        {estimate === null ? (
          <Text>{t.unknownSize}</Text>
        ) : (
          <Stack gap={4}>
            {server.status === 'stopped' ? null : (
              <Text strong>{t.off({ off: duration(estimate.offSeconds * 1000) })}</Text>
            )}
            <Text>{t.takes({ copy: duration(estimate.copySeconds * 1000) })}</Text>
          </Stack>
        )}
        <Text>{t.dialogText({ node: target.nodeName })}</Text>
        {asks ? (
          <Note tone="warn" title={t.backupsLeft({ node: server.nodeName, count: backupsLeft })}>
            <Tick label={t.agreeBackups} checked={agreed} onChange={setAgreed} />
          </Note>
        ) : null}
      </Stack>
    </ConfirmDialog>
  )
}
