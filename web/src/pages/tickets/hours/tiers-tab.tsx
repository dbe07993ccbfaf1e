import type { Tier } from '@lodge/shared/support/tiers.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Column } from '../../../ui/data/column.ts'
import { NameButton } from '../../../ui/data/name-button.tsx'
import { RowActions } from '../../../ui/data/row-actions.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { TierDialog } from './tier-dialog.tsx'
import { t } from './words.ts'

/** The support tiers with their goals and plans. */
export default function TiersTab() {
  const tiers = useQuery(q('GET /api/support/tiers'))
  return <Loaded query={tiers}>{({ items }) => <Tiers tiers={items} />}</Loaded>
}

function Tiers({ tiers }: { tiers: readonly Tier[] }) {
  const [open, setOpen] = useState<Tier | 'new'>()
  const [deleted, setDeleted] = useState<Tier>()
  const remove = useAct('DELETE /api/support/tiers/{id}', ['GET /api/support/tiers'])
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {t.newTier}
    </Button>
  )
  return (
    <Card title={t.tiers} flush actions={tiers.length > 0 ? create : undefined}>
      <Table
        label={t.tiers}
        keys
        rows={tiers}
        columns={columns(setOpen, setDeleted)}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noTiersTitle} art="jobs" action={create}>
            {t.noTiersText}
          </Empty>
        }
      />
      {open === undefined ? null : (
        <TierDialog
          key={open === 'new' ? 'new' : open.id}
          tier={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
      <ConfirmDialog
        opened={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={t.deleteTitle({ name: deleted?.name ?? '' })}
        verb={t.deleteTier}
        onConfirm={async () => {
          if (deleted) await remove.mutateAsync({ params: { id: deleted.id } })
          toastDone(t.deleted)
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </Card>
  )
}

const columns = (
  onOpen: (tier: Tier) => void,
  onDelete: (tier: Tier) => void,
): readonly Column<Tier>[] => [
  {
    header: t.tierName,
    role: 'title',
    cell: (tier) => <NameButton name={tier.name} onOpen={() => onOpen(tier)} />,
  },
  { header: t.calendar, cell: ({ calendar }) => t.calendarOf({ calendar }) },
  { header: t.plans, tight: true, cell: ({ planIds }) => t.plansCount({ count: planIds.length }) },
  { header: t.position, tight: true, cell: ({ position }) => position },
  {
    id: 'default',
    header: '',
    tight: true,
    cell: ({ isDefault }) => (isDefault ? <Pill tone="ok">{t.default}</Pill> : null),
  },
  {
    id: 'actions',
    header: '',
    role: 'acts',
    cell: (tier) => (
      <RowActions
        label={t.actionsFor({ name: tier.name })}
        entries={[
          {
            label: t.delete,
            icon: <Trash2 />,
            danger: true,
            disabledBecause: tier.isDefault ? t.isDefaultTier : undefined,
            onSelect: () => onDelete(tier),
          },
        ]}
      />
    ),
  },
]
