import { formatBytes } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { ChangeNote } from './change-note.tsx'
import { useVm, useVmChanged, useWhyNotChange } from './use-vm.ts'

type Targets = Reply<'GET /api/servers/{id}/vm/migration-targets'>
type Target = Targets['items'][number]

const COLUMNS: readonly Column<Target>[] = [
  { header: 'Node', role: 'title', cell: ({ nodeName }) => <Text strong>{nodeName}</Text> },
  { header: 'Location', cell: ({ location }) => location },
  {
    header: 'Fits',
    cell: ({ possible, why }) =>
      possible ? (
        <Pill tone="ok">Yes</Pill>
      ) : (
        <Stack gap={2}>
          <span>
            <Pill tone="idle">No</Pill>
          </span>
          <Text small muted>
            {why}
          </Text>
        </Stack>
      ),
  },
]

/** Where a stopped machine can move, why not elsewhere, and the move itself. */
export default function MoveTab() {
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
  const move: Column<Target> = {
    header: 'Actions',
    role: 'acts',
    cell: (row) => (
      <Button
        size="small"
        disabledBecause={row.possible ? whyNot : (row.why ?? 'The machine does not fit there')}
        onClick={() => setTarget(row)}
      >
        Move here
      </Button>
    ),
  }
  return (
    <Stack>
      {vm.data ? <ChangeNote vm={vm.data} /> : null}
      {vm.data && vm.data.snapshots.length > 0 ? <SnapshotsNote /> : null}
      <Card title="Move to another node" flush>
        <Loaded query={targets}>
          {({ items }) => (
            <Table
              label="Nodes"
              rows={items}
              columns={[...COLUMNS, move]}
              keyOf={({ nodeId }) => nodeId}
              empty={
                <Empty title="There is no other node" art="nodes">
                  Once another node takes virtual machines, this one can move to it.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
      <Text small muted>
        The machine stays off while it is copied
        {targets.data?.bytes ? ` (${formatBytes(targets.data.bytes)})` : ''}. What is on{' '}
        {server.nodeName} is removed only after the copy was proven; after any failure it is still
        there.
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
      title="Its snapshots cannot move along"
      action={
        <LinkButton to={paths.serverSnapshots} params={{ id: server.id }} size="small">
          Open snapshots
        </LinkButton>
      }
    >
      They lie on {server.nodeName} and stay there: delete them first, then move the machine.
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
  const changes = fitting.find(({ id }) => id === networkId)?.changesAddress ?? false
  const run = (): Promise<unknown> =>
    migrate
      .mutateAsync({
        params: { id: server.id },
        body: { nodeId: target.nodeId, networkId, confirmNetworkChange: agreed },
      })
      .then(changed)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Move ${server.name} to ${target.nodeName}`}
      verb="Move machine"
      onConfirm={run}
      disabledBecause={
        changes && !agreed
          ? 'Confirm that the address changes, or choose another network'
          : undefined
      }
    >
      <Stack gap={14}>
        <Text>
          Disks, firmware variables and TPM are copied and compared. It is not started by the move.
        </Text>
        <SelectField
          label="Network there"
          value={networkId}
          onChange={setNetworkId}
          choices={fitting.map(({ id, name, changesAddress }) => ({
            value: id,
            label: changesAddress ? `${name} (another address)` : `${name} (same address)`,
          }))}
        />
        {changes ? (
          <Tick
            label="The machine gets another address inside, and that is fine"
            checked={agreed}
            onChange={setAgreed}
          />
        ) : null}
      </Stack>
    </ConfirmDialog>
  )
}
