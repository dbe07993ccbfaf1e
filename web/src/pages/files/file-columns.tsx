import type { Entry } from '@lodge/shared/files.ts'
import type { MenuEntry } from '../../ui/buttons/menu.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { RowActions } from '../../ui/data/row-actions.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { FileIcon } from './file-icon.tsx'
import { isFolder } from './file-kind.ts'
import { FileLink } from './file-link.tsx'
import { t } from './words.ts'

const nameText = ({ name, target }: Entry): string =>
  target === undefined ? name : t.linkTo({ name, target })

interface Around {
  readonly serverId: string
  readonly onPreview: (entry: Entry) => void
  readonly entriesOf: (entry: Entry) => readonly MenuEntry[]
}

export const fileColumns = ({
  serverId,
  onPreview,
  entriesOf,
}: Around): readonly Column<Entry>[] => [
  {
    id: 'name',
    header: t.name,
    role: 'title',
    sort: 'name',
    cell: (entry) => (
      <FileLink serverId={serverId} entry={entry} onPreview={onPreview}>
        <FileIcon entry={entry} />
        <span title={nameText(entry)}>{nameText(entry)}</span>
      </FileLink>
    ),
  },
  {
    id: 'size',
    header: t.size,
    right: true,
    sort: 'size',
    highestFirst: true,
    card: 'head',
    width: 110,
    cell: (entry) => (isFolder(entry) ? null : <Text muted>{formatBytes(entry.sizeBytes)}</Text>),
  },
  {
    id: 'modified',
    header: t.modified,
    sort: 'modified',
    highestFirst: true,
    card: 'head',
    width: 150,
    cell: ({ modifiedAt }) => (
      <Text muted>
        <Ago at={modifiedAt} />
      </Text>
    ),
  },
  {
    id: 'mode',
    header: t.mode,
    card: 'none',
    secondary: true,
    width: 120,
    cell: ({ mode }) => (
      <Text mono muted>
        {mode}
      </Text>
    ),
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    width: 72,
    cell: (entry) => (
      <RowActions label={t.actionsOf({ file: entry.name })} entries={entriesOf(entry)} />
    ),
  },
]
