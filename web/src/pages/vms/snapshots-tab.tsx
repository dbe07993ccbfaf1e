import { formatBytes, formatMib } from '@lodge/shared/units.ts'
import Camera from 'lucide-react/icons/camera'
import History from 'lucide-react/icons/history'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { ChangeNote } from './change-note.tsx'
import { SnapshotForm } from './snapshot-form.tsx'
import { useVm, useVmChanged, useWhyNotChange, type Vm } from './use-vm.ts'

type Snapshot = Vm['snapshots'][number]

const holdsWords = ({ has }: Snapshot): string =>
  ['disks', has.firmware ? 'firmware' : '', has.tpm ? 'TPM' : ''].filter(Boolean).join(', ')

const COLUMNS: readonly Column<Snapshot>[] = [
  {
    header: 'Snapshot',
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
    header: 'State',
    cell: ({ state }) =>
      state === 'ready' ? (
        <Pill tone="ok">Ready</Pill>
      ) : (
        <Pill tone="pend">{state === 'creating' ? 'Being made' : 'Being deleted'}</Pill>
      ),
  },
  { header: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: 'Takes at most',
    cell: ({ sizeBytes, diskMb }) => (
      <Text
        title={`Of disks of ${formatMib(diskMb)}. Less, where the node's file system shares what has not changed since`}
      >
        {sizeBytes === null ? '–' : formatBytes(sizeBytes)}
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
    state === 'ready' ? undefined : 'This snapshot is not ready'
  const acts: Column<Snapshot> = {
    header: 'Actions',
    role: 'acts',
    cell: (row) => (
      <Row gap={2} nowrap>
        <IconButton
          label={`Restore ${row.name}`}
          size="small"
          disabledBecause={busy(row) ?? whyNot}
          onClick={() => setRestoring(row)}
        >
          <History />
        </IconButton>
        <IconButton
          label={`Delete ${row.name}`}
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
            title="Snapshots"
            flush
            actions={
              <Button
                size="small"
                icon={<Camera />}
                disabledBecause={whyNotTake}
                onClick={() => setMaking(true)}
              >
                Take snapshot
              </Button>
            }
          >
            <Table
              label="Snapshots"
              rows={found.snapshots}
              columns={[...COLUMNS, acts]}
              keyOf={({ id }) => id}
              empty={
                <Empty title="There is no snapshot yet" art="copies">
                  A snapshot brings the machine back to how it was: take one before an upgrade.
                </Empty>
              }
            />
          </Card>
          {found.snapshots.length === 0 ? null : (
            <Text small muted>
              Together they take {formatBytes(spaceOf(found))}. It counts as disk of the node.
            </Text>
          )}
          <Dialog title="Take snapshot" opened={making} onClose={() => setMaking(false)}>
            <SnapshotForm serverId={server.id} onDone={() => setMaking(false)} />
          </Dialog>
          <ConfirmDialog
            opened={restoring !== undefined}
            onClose={() => setRestoring(undefined)}
            title={`Restore ${restoring?.name ?? ''}`}
            verb="Restore snapshot"
            onConfirm={() =>
              restore.mutateAsync({ ...of(restoring), body: { confirm: true } }).then(changed)
            }
          >
            Disks, firmware variables and TPM become what they were{' '}
            {restoring ? <Ago at={restoring.createdAt} /> : ''}. What was written since then is
            lost; other snapshots stay.
          </ConfirmDialog>
          <ConfirmDialog
            opened={removing !== undefined}
            onClose={() => setRemoving(undefined)}
            title={`Delete ${removing?.name ?? ''}`}
            verb="Delete snapshot"
            onConfirm={() => remove.mutateAsync(of(removing)).then(changed)}
          >
            The machine stays as it is. It can no longer be brought back to this snapshot.
          </ConfirmDialog>
        </Stack>
      )}
    </Loaded>
  )
}

const spaceOf = (vm: Vm): number =>
  vm.snapshots.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
