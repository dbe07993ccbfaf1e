import { useQuery } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { q } from '../../query.ts'
import { useMe, useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import type { Administrator, TeamAct } from './administrator.ts'
import { AdministratorDialog } from './administrator-dialog.tsx'
import type { Catalogue } from './permission-choice.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { teamColumns } from './team-columns.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { t } from './words.ts'

type Open =
  | { readonly what: 'invite' }
  | { readonly what: TeamAct; readonly person: Administrator }
  | undefined

/** The administrators of this installation and their permissions. */
export default function TeamPage() {
  const me = useMe()
  const missing = useMissing()
  const team = useQuery(q('GET /api/team'))
  const permissions = useQuery(q('GET /api/permissions'))
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const catalogue: Catalogue = permissions.data?.team ?? { permissions: [], presets: [] }
  return (
    <Page
      title={t.team}
      lead={t.lead}
      actions={
        <Button
          kind="primary"
          icon={<UserPlus />}
          disabledBecause={missing('team.manage')}
          onClick={() => setOpen({ what: 'invite' })}
        >
          {t.invite}
        </Button>
      }
    >
      <Card flush>
        <Loaded query={team} lines={3}>
          {({ items }) => (
            <Table
              label={t.team}
              rows={items}
              columns={teamColumns({
                me,
                catalogue,
                blocked: missing('team.manage'),
                onAct: (what, person) => setOpen({ what, person }),
              })}
              keyOf={({ id }) => id}
              empty={null}
            />
          )}
        </Loaded>
      </Card>
      {open?.what === 'invite' ? (
        <AdministratorDialog catalogue={catalogue} onClose={close} />
      ) : null}
      {open?.what === 'edit' ? (
        <AdministratorDialog catalogue={catalogue} person={open.person} onClose={close} />
      ) : null}
      {open?.what === 'remove' ? <RemoveDialog person={open.person} onClose={close} /> : null}
      {open?.what === 'transfer' ? <TransferDialog person={open.person} onClose={close} /> : null}
    </Page>
  )
}
