import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { DeleteButton } from './delete-button.tsx'
import { EnabledSwitch, ReleaseSwitch } from './enabled-switch.tsx'
import { NetworkForm } from './network-form.tsx'

type Network = Reply<'GET /api/virtualization/catalogue'>['networks'][number]

const COLUMNS: readonly Column<Network>[] = [
  {
    header: 'Network',
    role: 'title',
    cell: ({ name, mode, libvirtName }) => (
      <Stack gap={0}>
        <Text strong>{name}</Text>
        <Text small muted>
          {mode === 'nat' ? 'Made by Lodge' : 'Of the node'}
          {libvirtName === null ? '' : ` · ${libvirtName}`}
        </Text>
      </Stack>
    ),
  },
  {
    header: 'Subnet',
    cell: ({ subnet, gateway }) => (
      <Stack gap={0}>
        <Text mono>{subnet}</Text>
        <Text small muted>
          by {gateway}
        </Text>
      </Stack>
    ),
  },
  {
    header: 'Addresses',
    cell: ({ name, pool }) =>
      pool === null ? (
        '–'
      ) : (
        <div style={{ minWidth: 130, flex: 1 }}>
          <Text small muted>
            {pool.leased} of {pool.size}
          </Text>
          <Meter
            label={`Addresses of ${name}`}
            value={pool.leased}
            of={pool.size}
            text={`${pool.leased} of ${pool.size}, from ${pool.from} to ${pool.to}`}
            compact
            bare
          />
        </div>
      ),
  },
  {
    header: 'Nodes',
    secondary: true,
    cell: ({ nodeIds }) =>
      nodeIds === null || nodeIds.length === 0 ? 'All' : `${nodeIds.length} nodes`,
  },
]

/** Networks for guests, with their address pools. */
export function NetworksCard({
  networks,
  missing,
}: {
  networks: readonly Network[]
  missing: string | undefined
}) {
  const [adding, setAdding] = useState(false)
  const add = (
    <Button size="small" icon={<Plus />} disabledBecause={missing} onClick={() => setAdding(true)}>
      Add network
    </Button>
  )
  return (
    <Card title="Networks" flush actions={add}>
      <Table
        label="Networks"
        rows={networks}
        columns={[
          ...COLUMNS,
          {
            header: 'New machines',
            tight: true,
            cell: (row) => <EnabledSwitch what="networks" row={row} missing={missing} />,
          },
          {
            header: 'Self-service',
            tight: true,
            cell: (row) => <ReleaseSwitch what="networks" row={row} missing={missing} />,
          },
          {
            header: '',
            tight: true,
            cell: (row) => <DeleteButton what="networks" row={row} disabledBecause={missing} />,
          },
        ]}
        keyOf={({ id }) => id}
        empty={
          <Empty title="There is no network yet" art="network">
            Each machine gets one address of a network, and may use no other.
          </Empty>
        }
      />
      <Dialog title="Add network" opened={adding} onClose={() => setAdding(false)}>
        <NetworkForm onDone={() => setAdding(false)} />
      </Dialog>
    </Card>
  )
}
