import type { Backup, BackupEntry } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Download from 'lucide-react/icons/download'
import File from 'lucide-react/icons/file'
import Folder from 'lucide-react/icons/folder'
import History from 'lucide-react/icons/history'
import { useState } from 'react'
import { paths } from '../../../../paths.ts'
import { q } from '../../../../query.ts'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { saveFrom } from '../../../../ui/data/save-file.ts'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Unknown } from '../../../../ui/data/unknown.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Row, Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import styles from './backups.module.css'
import { RestoreFilesForm } from './restore-files.tsx'
import { browsing, downloadAddress } from './use-backups.ts'
import { Verified } from './verified.tsx'
import { t } from './words.ts'

interface BrowseBackupProps {
  server: Server
  /** Hidden while undefined. */
  backup: Backup | undefined
  path: string
  /** Why nothing of it can be restored now, in words. */
  noRestore: string | undefined
  /** Why nothing of it can be downloaded now, in words. */
  noDownload: string | undefined
  onClose: () => void
}

/** The files of a backup, and restoring some of them. */
export function BrowseBackup(props: BrowseBackupProps) {
  const { backup, path, onClose } = props
  return (
    <Dialog title={backup?.name ?? ''} opened={backup?.state === 'good'} wide onClose={onClose}>
      {backup ? <Browser key={path} {...props} backup={backup} /> : null}
    </Dialog>
  )
}

function Browser(props: BrowseBackupProps & { backup: Backup }) {
  const { server, backup, path, noRestore, noDownload, onClose } = props
  const params = { id: server.id, backupId: backup.id }
  const folder = useQuery({
    ...q('GET /api/servers/{id}/backups/{backupId}/files', { params, query: { path } }),
    // A complete backup never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [restoring, setRestoring] = useState(false)
  if (restoring)
    return (
      <RestoreFilesForm
        backup={backup}
        paths={[...chosen]}
        onBack={() => setRestoring(false)}
        onDone={onClose}
      />
    )
  return (
    <Stack gap={12}>
      <Path backup={backup} path={path} />
      <Verified backup={backup} full />
      <Loaded query={folder} lines={6}>
        {({ items, truncated }) => (
          <>
            <div className={styles.list}>
              <Table
                label={t.folders}
                rows={items}
                columns={[...columns(backup), downloads(backup, noDownload)]}
                keyOf={(entry) => entry.path}
                selection={{ ids: chosen, onChange: setChosen, nameOf: nameIn }}
                empty={<Empty title={t.emptyFolder} art="missing" />}
              />
            </div>
            {truncated ? (
              <Text small muted>
                {t.truncated({ count: items.length })}
              </Text>
            ) : null}
          </>
        )}
      </Loaded>
      <Row>
        <Button
          kind="primary"
          icon={<History />}
          disabledBecause={noRestore ?? (chosen.size === 0 ? t.selectFirst : undefined)}
          onClick={() => setRestoring(true)}
        >
          {chosen.size === 0 ? t.restoreFiles : t.restoreSelected({ count: chosen.size })}
        </Button>
      </Row>
    </Stack>
  )
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path of this folder in the backup, with a link for each part. */
function Path({ backup, path }: { backup: Backup; path: string }) {
  const parts = path === '/' ? [] : path.slice(1).split('/')
  const to = (folder?: string) => ({
    from: paths.serverBackups,
    to: paths.serverBackups,
    params: { id: backup.serverId },
    search: browsing(backup, folder),
  })
  return (
    <nav className={styles.path} aria-label={t.folders}>
      {parts.length === 0 ? <Text strong>{t.allFiles}</Text> : <Link {...to()}>{t.allFiles}</Link>}
      {parts.map((part, at) => {
        const folder = `/${parts.slice(0, at + 1).join('/')}`
        return [
          <ChevronRight key={`${folder} >`} aria-hidden />,
          at === parts.length - 1 ? (
            <Text key={folder} strong>
              {part}
            </Text>
          ) : (
            <Link key={folder} {...to(folder)}>
              {part}
            </Link>
          ),
        ]
      })}
    </nav>
  )
}

const columns = (backup: Backup): readonly Column<BackupEntry>[] => [
  {
    header: t.entry,
    role: 'title',
    cell: ({ name, path, kind }) => (
      <span className={styles.entry}>
        {kind === 'folder' ? <Folder aria-hidden /> : <File aria-hidden />}
        {kind === 'folder' ? (
          <Link
            from={paths.serverBackups}
            to={paths.serverBackups}
            params={{ id: backup.serverId }}
            search={browsing(backup, path)}
            data-opens
          >
            {name}
          </Link>
        ) : (
          <Text clip title={name}>
            {name}
          </Text>
        )}
      </span>
    ),
  },
  {
    header: t.size,
    right: true,
    card: 'head',
    cell: ({ kind, sizeBytes }) =>
      kind === 'file' ? (
        formatBytes(sizeBytes)
      ) : (
        <Unknown why={kind === 'folder' ? t.folder : kind === 'link' ? t.link : t.otherKind} />
      ),
  },
  { header: t.changed, card: 'head', cell: ({ modifiedAt }) => <Ago at={modifiedAt} /> },
]

const downloads = (backup: Backup, disabledBecause: string | undefined): Column<BackupEntry> => ({
  header: t.actions,
  role: 'acts',
  cell: ({ name, path, kind }) =>
    kind === 'file' || kind === 'folder' ? (
      <IconButton
        label={t.downloadOne({ entry: name })}
        size="small"
        disabledBecause={disabledBecause}
        onClick={() => saveFrom(downloadAddress(backup, path))}
      >
        <Download />
      </IconButton>
    ) : null,
})
