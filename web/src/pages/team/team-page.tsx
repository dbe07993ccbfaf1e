import { useQuery } from '@tanstack/react-query'
import UserPlus from 'lucide-react/icons/user-plus'
import { useMemo, useState } from 'react'
import { q } from '../../query.ts'
import { useMe, useMissing } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Page } from '../../ui/page/page.tsx'
import type { Administrator, TeamAct } from './administrator.ts'
import { AdministratorDialog } from './administrator-dialog.tsx'
import { FactorsDialog } from './factors-dialog.tsx'
import type { Catalogue } from './permission-choice.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { teamColumns, teamTools } from './team-columns.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { t } from './words.ts'

const NO_CATALOGUE: Catalogue = { permissions: [], presets: [] }

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
  const catalogue = permissions.data?.team ?? NO_CATALOGUE
  const view = useViewAddress()
  const blocked = missing('team.manage')
  const columns = useMemo(
    () =>
      teamColumns({ me, catalogue, blocked, onAct: (what, person) => setOpen({ what, person }) }),
    [me, catalogue, blocked],
  )
  const list = useList('team', columns)
  const tools = useMemo(() => teamTools(catalogue), [catalogue])
  return (
    <Page
      title={t.team}
      lead={t.lead}
      actions={
        <Button
          kind="primary"
          icon={<UserPlus />}
          disabledBecause={blocked}
          onClick={() => setOpen({ what: 'invite' })}
        >
          {t.invite}
        </Button>
      }
    >
      <ShortList
        label={t.team}
        searchLabel={t.searchTeam}
        file="team.csv"
        query={team}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noAdministrator}
        empty={null}
      />
      {open?.what === 'invite' ? (
        <AdministratorDialog catalogue={catalogue} onClose={close} />
      ) : null}
      {open?.what === 'edit' ? (
        <AdministratorDialog catalogue={catalogue} person={open.person} onClose={close} />
      ) : null}
      {open?.what === 'factors' ? <FactorsDialog person={open.person} onClose={close} /> : null}
      {open?.what === 'remove' ? <RemoveDialog person={open.person} onClose={close} /> : null}
      {open?.what === 'transfer' ? <TransferDialog person={open.person} onClose={close} /> : null}
    </Page>
  )
}
