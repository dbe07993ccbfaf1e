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
import styles from './virtualization.module.css'
import { t } from './words.ts'

type Network = Reply<'GET /api/virtualization/catalogue'>['networks'][number]

const columns = (): readonly Column<Network>[] => [
  {
    header: t.network,
    role: 'title',
    cell: ({ name, mode, libvirtName }) => (
      <div className={styles.title}>
        <Stack gap={0}>
          <span className={styles.name} title={name}>
            <Text strong>{name}</Text>
          </span>
          <Text small muted clip>
            {libvirtName === null
              ? t.networkKind({ mode })
              : t.networkKindNamed({ mode, libvirtName })}
          </Text>
        </Stack>
      </div>
    ),
  },
  {
    header: t.subnet,
    tight: true,
    cell: ({ subnet, gateway }) => (
      <Stack gap={0}>
        <Text mono>{subnet}</Text>
        <Text small muted>
          {t.viaGateway({ gateway })}
        </Text>
      </Stack>
    ),
  },
  {
    header: t.addresses,
    cell: ({ name, pool }) =>
      pool === null ? (
        t.unknown
      ) : (
        <div style={{ minWidth: 130, flex: 1 }}>
          <Text small muted>
            {t.leased({ leased: pool.leased, size: pool.size })}
          </Text>
          <Meter
            label={t.addressesOf({ name })}
            value={pool.leased}
            of={pool.size}
            text={t.leasedFrom(pool)}
            compact
            bare
          />
        </div>
      ),
  },
  {
    header: t.nodes,
    tight: true,
    secondary: true,
    cell: ({ nodeIds }) =>
      nodeIds === null || nodeIds.length === 0
        ? t.allNodes
        : t.nodeCount({ count: nodeIds.length }),
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
      {t.addNetwork}
    </Button>
  )
  return (
    <Card title={t.networks} flush actions={add}>
      <Table
        label={t.networks}
        rows={networks}
        columns={[
          ...columns(),
          {
            header: t.newMachines,
            tight: true,
            cell: (row) => <EnabledSwitch what="networks" row={row} missing={missing} />,
          },
          {
            header: t.selfService,
            tight: true,
            cell: (row) => <ReleaseSwitch what="networks" row={row} missing={missing} />,
          },
          {
            header: t.delete,
            role: 'acts',
            cell: (row) => <DeleteButton what="networks" row={row} disabledBecause={missing} />,
          },
        ]}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noNetwork} art="network">
            {t.noNetworkText}
          </Empty>
        }
      />
      <Dialog title={t.addNetwork} opened={adding} onClose={() => setAdding(false)}>
        <NetworkForm onDone={() => setAdding(false)} />
      </Dialog>
    </Card>
  )
}
