import type { StatusComponent } from '@lodge/shared/status.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { q, useAct } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import type { Column } from '../../ui/data/column.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Table } from '../../ui/data/table.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { ComponentDialog } from './component-dialog.tsx'
import { HealthPill } from './looks.tsx'
import { t } from './words.ts'

type Components = Reply<'GET /api/status/components'>

/** The components of the public page, in its order. */
export default function ComponentsTab() {
  const components = useQuery({ ...q('GET /api/status/components'), refetchInterval: 30_000 })
  return <Loaded query={components}>{(found) => <List {...found} />}</Loaded>
}

function List({ items, locations }: Components) {
  const may = useMay()('status.manage')
  const [open, setOpen] = useState<StatusComponent | 'new'>()
  const [removing, setRemoving] = useState<StatusComponent>()
  const remove = useAct('DELETE /api/status/components/{id}', ['GET /api/status/components'])
  const create = may ? (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {t.newComponent}
    </Button>
  ) : undefined
  const columns: readonly Column<StatusComponent>[] = [
    {
      header: t.name,
      role: 'title',
      cell: ({ name, description }) => (
        <Stack gap={2}>
          <Text strong>{name}</Text>
          {description === '' ? null : (
            <Text small muted>
              {description}
            </Text>
          )}
        </Stack>
      ),
    },
    { header: t.now, tight: true, card: 'head', cell: ({ state }) => <HealthPill state={state} /> },
    {
      header: t.source,
      cell: ({ source, location }) => location ?? t.sourceOf({ source }),
    },
    {
      header: t.page,
      tight: true,
      cell: ({ shown }) => (
        <Pill tone={shown ? 'ok' : 'idle'}>{shown ? t.isShown : t.isHidden}</Pill>
      ),
    },
    ...(may
      ? [
          {
            header: t.actions,
            role: 'acts' as const,
            cell: (one: StatusComponent) => (
              <Actions items={items} one={one} onEdit={setOpen} onRemove={setRemoving} />
            ),
          },
        ]
      : []),
  ]
  return (
    <Card title={t.components} flush actions={items.length > 0 ? create : undefined}>
      <Table
        label={t.components}
        keys
        rows={items}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noComponents} art="network" action={create}>
            {t.noComponentsText}
          </Empty>
        }
      />
      {open === undefined ? null : (
        <ComponentDialog
          key={open === 'new' ? 'new' : open.id}
          component={open === 'new' ? undefined : open}
          locations={locations.filter((name) => !items.some(({ location }) => location === name))}
          onClose={() => setOpen(undefined)}
        />
      )}
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t.deleteTitle({ title: removing?.name ?? '' })}
        verb={t.deleteComponent}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync({ params: { id: removing.id } })
          toastDone(t.deleted)
        }}
      >
        {t.deleteComponentText}
      </ConfirmDialog>
    </Card>
  )
}

interface ActionsProps {
  items: readonly StatusComponent[]
  one: StatusComponent
  onEdit: (one: StatusComponent) => void
  onRemove: (one: StatusComponent) => void
}

function Actions({ items, one, onEdit, onRemove }: ActionsProps) {
  const order = useAct('PUT /api/status/components/order', ['GET /api/status/components'])
  const at = items.indexOf(one)
  const moveTo = (to: number) => {
    const ids = items.map(({ id }) => id).filter((id) => id !== one.id)
    order.mutate(
      { body: { ids: ids.toSpliced(to, 0, one.id) } },
      { onError: (error) => toastRefused(t.components, error) },
    )
  }
  return (
    <ActionMenu
      label={t.actionsOf({ name: one.name })}
      entries={[
        { label: t.editEntry, onSelect: () => onEdit(one) },
        ...(at > 0 ? [{ label: t.moveUp, onSelect: () => moveTo(at - 1) }] : []),
        ...(at < items.length - 1 ? [{ label: t.moveDown, onSelect: () => moveTo(at + 1) }] : []),
        {
          label: t.deleteEntry,
          danger: true,
          separated: true,
          onSelect: () => onRemove(one),
        },
      ]}
    />
  )
}
