import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q, useAct } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { ChangeStorage } from '../servers/one/move/change-storage.tsx'
import { LastMove } from '../servers/one/move/last-move.tsx'
import { MoveTargets, usePlaceChoice } from '../servers/one/move/move-targets.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { ChangeNote } from './change-note.tsx'
import { useVm, useVmChanged, useWhyNotChange } from './use-vm.ts'
import { t } from './words.ts'

type Targets = Reply<'GET /api/servers/{id}/vm/migration-targets'>
type Target = Targets['items'][number]

/** Where a stopped machine can move, why not elsewhere, and the move itself. */
export function MachineMove() {
  const server = useServer()
  const vm = useVm()
  const whyNot = useWhyNotChange(vm.data)(
    'POST /api/servers/{id}/vm/migrate',
    'vm.resources',
    'transfer',
  )
  const [target, setTarget] = useState<Target>()
  const targets = useQuery({
    ...q('GET /api/servers/{id}/vm/migration-targets', { params: { id: server.id } }),
    refetchInterval: 15_000,
  })
  return (
    <Stack>
      <LastMove />
      {vm.data ? <ChangeNote vm={vm.data} /> : null}
      {vm.data?.storage === null && vm.data.snapshots.length > 0 ? <SnapshotsNote /> : null}
      <ChangeStorage here={targets.data?.here} whyNot={whyNot} copySeconds={null} />
      <MoveTargets
        query={targets}
        whyNot={whyNot}
        doesNotFit={t.doesNotFit}
        noOtherNodeText={t.noOtherNodeText}
        onChoose={setTarget}
      />
      <Text small muted>
        {vm.data && vm.data.storage !== null
          ? t.moveTextShared({ storage: vm.data.storage })
          : targets.data?.bytes
            ? t.moveTextSize({ node: server.nodeName, size: formatBytes(targets.data.bytes) })
            : t.moveText({ node: server.nodeName })}
      </Text>
      {target ? (
        <MoveDialog key={target.nodeId} target={target} onClose={() => setTarget(undefined)} />
      ) : null}
    </Stack>
  )
}

/** Why it cannot move at all now, and where to fix that. */
function SnapshotsNote() {
  const server = useServer()
  return (
    <Note
      tone="info"
      title={t.snapshotsStay}
      action={
        <LinkButton to={paths.serverSnapshots} params={{ id: server.id }} size="small">
          {t.openSnapshots}
        </LinkButton>
      }
    >
      {t.snapshotsStayText({ node: server.nodeName })}
    </Note>
  )
}

function MoveDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const server = useServer()
  const changed = useVmChanged()
  const migrate = useAct('POST /api/servers/{id}/vm/migrate')
  const fitting = target.networks.filter(({ why }) => why === null)
  const [networkId, setNetworkId] = useState(
    (fitting.find(({ changesAddress }) => !changesAddress) ?? fitting[0])?.id ?? '',
  )
  const [agreed, setAgreed] = useState(false)
  const place = usePlaceChoice(target)
  const changes = fitting.find(({ id }) => id === networkId)?.changesAddress ?? false
  const run = (): Promise<unknown> =>
    migrate
      .mutateAsync({
        params: { id: server.id },
        body: { nodeId: target.nodeId, networkId, ...place.body, confirmNetworkChange: agreed },
      })
      .then(changed)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.moveTitle({ server: server.name, node: target.nodeName })}
      verb={t.move}
      onConfirm={run}
      disabledBecause={changes && !agreed ? t.agreeFirst : undefined}
    >
      <Stack gap={14}>
        <Text>{t.moveDialogText}</Text>
        <SelectField
          label={t.networkThere}
          value={networkId}
          onChange={setNetworkId}
          choices={fitting.map(({ id, name, changesAddress }) => ({
            value: id,
            label: (changesAddress ? t.otherAddress : t.sameAddress)({ network: name }),
          }))}
        />
        {place.field ? (
          <SelectField label={t.disksThere} description={t.disksThereText} {...place.field} />
        ) : null}
        {changes ? <Tick label={t.agreeAddress} checked={agreed} onChange={setAgreed} /> : null}
      </Stack>
    </ConfirmDialog>
  )
}
