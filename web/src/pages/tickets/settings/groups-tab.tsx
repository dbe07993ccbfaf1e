import type { DeskArrangement, Group } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Column } from '../../../ui/data/column.ts'
import { NameButton } from '../../../ui/data/name-button.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Table } from '../../../ui/data/table.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { t } from './words.ts'

/** People who answer the same topics. */
export default function GroupsTab() {
  const settings = useQuery(q('GET /api/support/settings'))
  return <Loaded query={settings}>{(found) => <Groups {...found} />}</Loaded>
}

function Groups({ groups, agents }: Pick<DeskArrangement, 'groups' | 'agents'>) {
  const [open, setOpen] = useState<Group | 'new'>()
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
      {t.newGroup}
    </Button>
  )
  const columns: readonly Column<Group>[] = [
    {
      header: t.name,
      role: 'title',
      cell: (group) => <NameButton name={group.name} onOpen={() => setOpen(group)} />,
    },
    {
      header: t.members,
      tight: true,
      cell: ({ memberIds }) => t.membersCount({ count: memberIds.length }),
    },
    { header: t.assignment, cell: ({ assignment }) => t.assignmentOf({ assignment }) },
    {
      id: 'active',
      header: t.state,
      tight: true,
      cell: ({ active }) => (
        <Pill tone={active ? 'ok' : 'idle'}>{active ? t.inUse : t.archived}</Pill>
      ),
    },
  ]
  return (
    <Card title={t.groups} flush actions={groups.length > 0 ? create : undefined}>
      <Table
        label={t.groups}
        keys
        rows={groups}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noGroups} art="people" action={create}>
            {t.noGroupsText}
          </Empty>
        }
      />
      {open === undefined ? null : (
        <GroupDialog
          key={open === 'new' ? 'new' : open.id}
          group={open === 'new' ? undefined : open}
          agents={agents}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}
