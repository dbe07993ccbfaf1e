import Camera from 'lucide-react/icons/camera'
import History from 'lucide-react/icons/history'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { formatBytes, formatMib } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago, At } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { useServer } from '../servers/one/use-server.ts'
import { ChangeNote } from './change-note.tsx'
import { SnapshotForm } from './snapshot-form.tsx'
import { useVm, useVmChanged, useWhyNotChange, type Vm } from './use-vm.ts'
import { t } from './words.ts'

type Snapshot = Vm['snapshots'][number]

const holdsWords = ({ has }: Snapshot): string =>
  has.firmware ? (has.tpm ? t.holdsAll : t.holdsFirmware) : has.tpm ? t.holdsTpm : t.holdsDisks

const stateWords = {
  creating: () => t.beingMade,
  deleting: () => t.beingDeleted,
  away: () => t.away,
}

const columns = (): readonly Column<Snapshot>[] => [
  {
    header: t.snapshot,
    role: 'title',
    cell: (snapshot) => (
      <Stack gap={0}>
        <Text strong>{snapshot.name}</Text>
        <Text small muted>
          {holdsWords(snapshot)}
        </Text>
      </Stack>
    ),
  },
  {
    header: t.state,
    cell: ({ state }) =>
      state === 'ready' ? (
        <Pill tone="ok">{t.ready}</Pill>
      ) : (
        <Pill tone={state === 'away' ? 'idle' : 'pend'}>{stateWords[state]()}</Pill>
      ),
  },
  { header: t.made, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: t.takesAtMost,
    cell: ({ sizeBytes, diskMb }) => (
      <Text title={t.takesTitle({ disks: formatMib(diskMb) })}>
        {sizeBytes === null ? t.unknown : formatBytes(sizeBytes)}
      </Text>
    ),
  },
]

/** Snapshots of a stopped machine: disks, firmware variables and TPM together. */
export default function SnapshotsTab() {
  const server = useServer()
  const vm = useVm()
  const changed = useVmChanged()
  const whyNotChange = useWhyNotChange(vm.data)
  const takes = 'POST /api/servers/{id}/vm/snapshots'
  const whyNotTake = whyNotChange(takes, 'vm.snapshots', 'snapshots', 'diskUsage')
  const whyNot = whyNotChange(takes, 'vm.snapshots', 'snapshots')
  const restore = useAct('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore')
  const remove = useAct('DELETE /api/servers/{id}/vm/snapshots/{snapshot}')
  const [making, setMaking] = useState(false)
  const [restoring, setRestoring] = useState<Snapshot>()
  const [removing, setRemoving] = useState<Snapshot>()
  const of = (snapshot: Snapshot | undefined) => ({
    params: { id: server.id, snapshot: snapshot?.id ?? '' },
  })
  const busy = ({ state }: Snapshot): string | undefined =>
    state === 'ready' ? undefined : state === 'away' ? t.awayText : t.notReady
  const acts: Column<Snapshot> = {
    header: t.actions,
    role: 'acts',
    cell: (row) => (
      <Row gap={2} nowrap>
        <IconButton
          label={t.restoreOne({ snapshot: row.name })}
          size="small"
          disabledBecause={busy(row) ?? whyNot}
          onClick={() => setRestoring(row)}
        >
          <History />
        </IconButton>
        <IconButton
          label={t.deleteOne({ snapshot: row.name })}
          size="small"
          disabledBecause={busy(row) ?? whyNot}
          onClick={() => setRemoving(row)}
        >
          <Trash2 />
        </IconButton>
      </Row>
    ),
  }
  return (
    <Loaded query={vm}>
      {(found) => (
        <Stack>
          <ChangeNote vm={found} />
          <Card
            title={t.snapshots}
            flush
            actions={
              <Button
                size="small"
                icon={<Camera />}
                disabledBecause={whyNotTake}
                onClick={() => setMaking(true)}
              >
                {t.take}
              </Button>
            }
          >
            <Table
              label={t.snapshots}
              rows={found.snapshots}
              columns={[...columns(), acts]}
              keyOf={({ id }) => id}
              empty={
                <Empty title={t.noSnapshots} art="copies">
                  {t.noSnapshotsText}
                </Empty>
              }
            />
          </Card>
          {found.snapshots.length === 0 ? null : (
            <Text small muted>
              {t.together({ size: formatBytes(spaceOf(found)) })}
            </Text>
          )}
          <Dialog title={t.take} opened={making} onClose={() => setMaking(false)}>
            <SnapshotForm serverId={server.id} onDone={() => setMaking(false)} />
          </Dialog>
          <ConfirmDialog
            opened={restoring !== undefined}
            onClose={() => setRestoring(undefined)}
            title={t.restoreOne({ snapshot: restoring?.name ?? '' })}
            verb={t.restore}
            onConfirm={() =>
              restore.mutateAsync({ ...of(restoring), body: { confirm: true } }).then(changed)
            }
          >
            {restoring
              ? rich(t.restoreText({ when: () => <At at={restoring.createdAt} /> }))
              : null}
          </ConfirmDialog>
          <ConfirmDialog
            opened={removing !== undefined}
            onClose={() => setRemoving(undefined)}
            title={t.deleteOne({ snapshot: removing?.name ?? '' })}
            verb={t.delete}
            onConfirm={() => remove.mutateAsync(of(removing)).then(changed)}
          >
            {t.deleteText}
          </ConfirmDialog>
        </Stack>
      )}
    </Loaded>
  )
}

const spaceOf = (vm: Vm): number =>
  vm.snapshots.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
