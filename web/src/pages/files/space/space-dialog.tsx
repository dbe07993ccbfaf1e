import type { Entry, FileSpace } from '@lodge/shared/files.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Empty, Skeletons } from '../../../ui/notices/states.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { foldersTo, nameOf } from '../file-names.ts'
import { SPACE } from '../use-listing.ts'
import styles from './space.module.css'
import { SpaceRow } from './space-row.tsx'
import { t } from './words.ts'

interface SpaceDialogProps {
  serverId: string
  /** Why nothing can be deleted; undefined if it can. */
  cannotDelete: string | undefined
  opened: boolean
  onClose: () => void
  onDelete: (entry: Entry) => void
  onBin: () => void
}

/** What takes the space of the disk: folder by folder, and the largest files of all. */
export default function SpaceDialog(props: SpaceDialogProps) {
  const { serverId, opened, onClose } = props
  const [folder, setFolder] = useState('/')
  const asked = { params: { id: serverId }, query: { path: folder } }
  const query = useQuery({
    ...q(SPACE, asked),
    // A measurement that nobody waits for any more ends on the node as well.
    queryFn: ({ signal }) => api(SPACE, { ...asked, signal }),
    retry: false,
    enabled: opened,
    staleTime: 0,
  })
  const skeleton = (
    <Column gap={12}>
      <p role="status">{t.measuring}</p>
      <Skeletons lines={6} />
    </Column>
  )
  return (
    <Dialog title={t.title} opened={opened} onClose={onClose} wide fleeting>
      <Column gap={12}>
        <Way folder={folder} onGo={setFolder} />
        <Loaded key={folder} query={query} skeleton={skeleton}>
          {(space) => (
            <Space
              {...props}
              space={space}
              folder={folder}
              isStale={query.isFetching}
              onGo={setFolder}
            />
          )}
        </Loaded>
      </Column>
    </Dialog>
  )
}

function Way({ folder, onGo }: { folder: string; onGo: (path: string) => void }) {
  const all = foldersTo(folder)
  return (
    <nav className={styles.crumbs} aria-label={t.folders}>
      <ol>
        {all.map((path, at) => {
          const name = path === '/' ? t.root : nameOf(path)
          return (
            <li key={path}>
              {at === all.length - 1 ? (
                <span aria-current="location">{name}</span>
              ) : (
                <button type="button" onClick={() => onGo(path)}>
                  {name}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface SpaceProps extends Omit<SpaceDialogProps, 'opened' | 'onClose'> {
  space: FileSpace
  folder: string
  isStale: boolean
  onGo: (path: string) => void
}

function Space({ space, folder, isStale, ...props }: SpaceProps) {
  const [view, setView] = useState<'here' | 'everywhere'>('here')
  const { bytes: total, items, others, files, truncated } = space
  const inFolder = folder === '/' ? t.allFiles : nameOf(folder)
  return (
    <>
      <Row between>
        <Text muted>
          <span role="status">
            {isStale ? t.again : t.total({ size: formatBytes(total), folder: inFolder })}
          </span>
        </Text>
        <Segments
          label={t.show}
          value={view}
          choices={[
            { value: 'here', label: t.here },
            { value: 'everywhere', label: t.everywhere },
          ]}
          onChange={setView}
        />
      </Row>
      {truncated ? <Note tone="warn">{t.truncated}</Note> : null}
      {folder === '/' ? <InBin serverId={props.serverId} onBin={props.onBin} /> : null}
      {items.length === 0 ? (
        <Empty title={t.none} art="copies">
          {t.noneText}
        </Empty>
      ) : (
        <ul className={styles.list} aria-label={view === 'here' ? t.here : t.everywhere}>
          {(view === 'here' ? items : files).map(({ entry, bytes }) => (
            <SpaceRow
              key={entry.path}
              entry={entry}
              bytes={bytes}
              total={total}
              within={view === 'here' ? undefined : folder}
              {...props}
            />
          ))}
        </ul>
      )}
      {view === 'here' && others.count > 0 ? (
        <Text small muted>
          {t.others({ count: others.count })}: {formatBytes(others.bytes)}
        </Text>
      ) : null}
    </>
  )
}

/** Deleted files take space, too, until they are gone for good. */
function InBin({ serverId, onBin }: Pick<SpaceDialogProps, 'serverId' | 'onBin'>) {
  const { data } = useQuery({
    ...q('GET /api/servers/{id}/files/usage', { params: { id: serverId } }),
    retry: false,
  })
  if (!data?.binBytes) return null
  return (
    <Row between>
      <Text small muted>
        {t.bin}: {formatBytes(data.binBytes)}
      </Text>
      <Button size="small" onClick={onBin}>
        {t.binShow}
      </Button>
    </Row>
  )
}
