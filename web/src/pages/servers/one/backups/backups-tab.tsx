import type { Backup } from '@lodge/shared/backups.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import FileX from 'lucide-react/icons/file-x'
import { useState } from 'react'
import { said, why } from '../../../../panel/said.ts'
import { paths } from '../../../../paths.ts'
import { useMe } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Pager } from '../../../../ui/data/pager.tsx'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { TableSkeleton } from '../../../../ui/data/table-skeleton.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column as Stack } from '../../../../ui/page/layout.tsx'
import { part } from '../../../../ui/page/part.tsx'
import { useServer } from '../use-server.ts'
import { BackupActions } from './backup-actions.tsx'
import { backupColumns } from './backup-columns.tsx'
import { BrowseBackup } from './browse-backup.tsx'
import NewBackup from './new-backup.tsx'
import { BackupUse, FormerNote, Keeping } from './standing.tsx'
import { backupsQuery, useOpenJob, useVerification } from './use-backups.ts'
import { t } from './words.ts'

const IgnoredDialog = part(() => import('./ignored-dialog.tsx'))

const PAGE_SIZE = 25
/** Kinds of jobs that make a backup. */
const MAKE: readonly string[] = ['backup.create', 'backup.restore-secured']

/** The backups of a server. */
export default function BackupsTab() {
  const server = useServer()
  const { after, backup: browsed, path } = useSearch({ from: '/in/servers/$id/backups' })
  const navigate = useNavigate({ from: paths.serverBackups })
  const backups = useQuery(backupsQuery(server.id, PAGE_SIZE, after))
  const job = useOpenJob(server)
  const underWay = job && t.underWay({ job: said(job.title) })
  const verification = useVerification(server)
  const me = useMe()
  const [making, setMaking] = useState(false)
  const [leavingOut, setLeavingOut] = useState(false)
  const page = after === undefined ? {} : { after }
  const columns = backupColumns(me.email, job && MAKE.includes(job.kind) ? job.percent : null)
  return (
    <Loaded query={backups} skeleton={<TableSkeleton columns={columns} rows={4} />}>
      {({ items, nextCursor, standing }) => {
        const acts: Column<Backup> = {
          header: t.actions,
          role: 'acts',
          cell: (backup) => (
            <BackupActions
              backup={backup}
              server={server}
              standing={standing}
              underWay={underWay}
              verifying={verification && t.underWay({ job: said(verification.title) })}
            />
          ),
        }
        const begin = (
          <Button
            kind="primary"
            size="small"
            icon={<DatabaseBackup />}
            disabledBecause={why(standing.whyNot.create) ?? underWay}
            onClick={() => setMaking(true)}
          >
            {t.backUpNow}
          </Button>
        )
        const empty = items.length === 0
        const leaveOut = server.kind === 'container' && (
          <Button
            size="small"
            icon={<FileX />}
            disabledBecause={why(standing.whyNot.ignore)}
            onClick={() => setLeavingOut(true)}
          >
            {t.leaveOutAsk}
          </Button>
        )
        return (
          <Stack>
            <FormerNote standing={standing} server={server} />
            <BackupUse standing={standing} server={server} />
            <Card
              title={t.backups}
              flush
              actions={
                <>
                  {leaveOut}
                  {empty ? null : begin}
                </>
              }
            >
              <Table
                label={t.backups}
                keys
                rows={items}
                columns={[...columns, acts]}
                keyOf={({ id }) => id}
                empty={
                  <Empty title={t.noBackups} art="copies" action={begin}>
                    {server.kind === 'vm' ? t.noBackupsMachine : t.noBackupsText}
                  </Empty>
                }
              />
            </Card>
            <Pager
              shown={items.length}
              after={after}
              next={nextCursor}
              onGo={(cursor) => void navigate({ search: cursor ? { after: cursor } : {} })}
            />
            <Keeping standing={standing} server={server} />
            <Dialog title={t.backUp} opened={making} onClose={() => setMaking(false)}>
              <NewBackup
                server={server}
                ignored={standing.ignored.patterns}
                onDone={() => setMaking(false)}
              />
            </Dialog>
            {leavingOut ? (
              <IgnoredDialog
                server={server}
                ignored={standing.ignored}
                onClose={() => setLeavingOut(false)}
              />
            ) : null}
            {server.kind === 'container' && (
              <BrowseBackup
                server={server}
                backup={items.find(({ id }) => id === browsed)}
                path={path ?? '/'}
                noRestore={why(standing.whyNot.restore) ?? underWay}
                noDownload={why(standing.whyNot.download)}
                onClose={() => void navigate({ search: page })}
              />
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}
