import type { DeskArrangement, Group } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import type { Column } from '../../../ui/data/column.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { ArrangedCard } from './arranged-card.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { t } from './words.ts'

/** Groups of agents who answer the same categories. */
export default function GroupsTab() {
  const settings = useQuery(q('GET /api/support/settings'))
  return <Loaded query={settings}>{(found) => <Groups {...found} />}</Loaded>
}

function Groups({ groups, agents }: Pick<DeskArrangement, 'groups' | 'agents'>) {
  const columns: readonly Column<Group>[] = [
    {
      header: t.members,
      tight: true,
      cell: ({ memberIds }) => t.membersCount({ count: memberIds.length }),
    },
    { header: t.assignment, cell: ({ assignment }) => t.assignmentOf({ assignment }) },
  ]
  return (
    <ArrangedCard
      title={t.groups}
      rows={groups}
      columns={columns}
      create={t.newGroup}
      empty={{ title: t.noGroups, art: 'people', text: t.noGroupsText }}
      dialog={(group, onClose) => (
        <GroupDialog key={group?.id ?? 'new'} group={group} agents={agents} onClose={onClose} />
      )}
    />
  )
}
