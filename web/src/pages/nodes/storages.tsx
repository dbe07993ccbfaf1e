import type { HardwareReport } from '@lodge/shared/hardware.ts'
import type { Node, NodeHardware } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Table, type Column as TableColumn } from '../../ui/data/table.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

type Storage = NonNullable<HardwareReport['storages']>[number]

const storageColumns = (
  nodeId: string,
  serversOn: NodeHardware['serversOnStorage'],
): readonly TableColumn<Storage>[] => [
  {
    header: t.name,
    role: 'title',
    cell: ({ name, path }) => (
      <Column gap={2}>
        <span>{name}</span>
        <Text small mono muted>
          {path}
        </Text>
      </Column>
    ),
  },
  {
    header: t.storageState,
    cell: ({ why, remedy }) =>
      why === null ? (
        <Pill tone="ok">{t.storageHere}</Pill>
      ) : (
        <Column gap={2}>
          <span>
            <Pill tone="err">{t.storageAway}</Pill>
          </span>
          <Text small muted>
            {saidReason(why)}
          </Text>
          {remedy === null ? null : <Text small>{saidReason(remedy)}</Text>}
        </Column>
      ),
  },
  {
    header: t.storageUsed,
    cell: ({ id, name, freeBytes, sizeBytes, pool }) => {
      if (id === null) return <Text faint>{t.unknown}</Text>
      const files = { freeBytes, sizeBytes, label: t.storageUsedOf({ storage: name }) }
      if (!pool) return <Used {...files} />
      return (
        <Column gap={6}>
          <Column gap={2}>
            <Text small muted>
              {t.fileSystem}
            </Text>
            <Used {...files} />
          </Column>
          <Column gap={2}>
            <Text small muted>
              {t.rbdPool({ pool: pool.name })}
            </Text>
            {pool.sizeBytes === null || pool.freeBytes === null ? (
              <Text faint>{t.unknown}</Text>
            ) : (
              <Used
                freeBytes={pool.freeBytes}
                sizeBytes={pool.sizeBytes}
                label={t.storageUsedOf({ storage: pool.name })}
              />
            )}
          </Column>
        </Column>
      )
    },
  },
  {
    header: t.servers,
    right: true,
    cell: ({ id, name }) => {
      const servers = (id !== null && serversOn[id]) || 0
      return servers === 0 ? (
        servers
      ) : (
        <Link
          to={paths.nodeServers}
          params={{ id: nodeId }}
          search={{ q: `storage:${id}` }}
          title={t.serversOnStorage({ storage: name })}
        >
          {servers}
        </Link>
      )
    },
  },
]

/** How full a file system or a pool is. */
function Used(props: { freeBytes: number; sizeBytes: number; label: string }) {
  const { freeBytes, sizeBytes, label } = props
  const used = sizeBytes - freeBytes
  return (
    <Meter
      compact
      words
      label={label}
      value={used}
      of={sizeBytes}
      text={t.usedOf({ used: formatBytes(used), size: formatBytes(sizeBytes) })}
    />
  )
}

/** File systems that other nodes have mounted, too. */
export function Storages(props: {
  node: Node
  storages: readonly Storage[]
  serversOn: NodeHardware['serversOnStorage']
}) {
  const { node, storages, serversOn } = props
  return (
    <Column gap={10}>
      <Card title={t.storages} flush>
        <Table
          label={t.storages}
          rows={storages}
          columns={storageColumns(node.id, serversOn)}
          keyOf={({ name }) => name}
          empty={null}
        />
      </Card>
      <Text small muted>
        {t.storagesText}
      </Text>
      <DefaultStorage node={node} storages={storages} />
    </Column>
  )
}

const OWN_DISK = 'disk'

/** Where the files or disks of new servers lie on this node, unless whoever makes one says otherwise. */
function DefaultStorage({ node, storages }: { node: Node; storages: readonly Storage[] }) {
  const missing = useMissing()('nodes.manage')
  const { id, defaultStorageId } = node
  const edit = useAct('PATCH /api/nodes/{id}', ['GET /api/nodes', 'GET /api/nodes/{id}'])
  const here = storages.flatMap(({ id: value, name }) =>
    value === null ? [] : [{ value, label: t.storageOf({ storage: name }) }],
  )
  // It may be away now, and is the default still.
  const isAway = defaultStorageId !== null && here.every(({ value }) => value !== defaultStorageId)
  return (
    <Column gap={10}>
      <SelectField
        label={t.newFiles}
        description={missing ?? t.newFilesText}
        choices={[
          { value: OWN_DISK, label: t.diskOfNode },
          ...here,
          ...(isAway ? [{ value: defaultStorageId, label: t.storageNotHere }] : []),
        ]}
        value={defaultStorageId ?? OWN_DISK}
        disabled={missing !== undefined || edit.isPending}
        onChange={(chosen) =>
          edit.mutate({
            params: { id },
            body: { defaultStorageId: chosen === OWN_DISK ? null : chosen },
          })
        }
      />
      {edit.error ? <ProblemNote error={edit.error} /> : null}
    </Column>
  )
}
