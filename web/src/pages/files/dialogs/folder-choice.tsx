import { useQuery } from '@tanstack/react-query'
import CornerLeftUp from 'lucide-react/icons/corner-left-up'
import Folder from 'lucide-react/icons/folder'
import { api } from '../../../api.ts'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { isFolder } from '../file-kind.ts'
import { folderOf, isWithin, resolved } from '../file-names.ts'
import { LISTING } from '../use-listing.ts'
import styles from './dialogs.module.css'
import { t } from './words.ts'

interface FolderChoiceProps {
  serverId: string
  value: string
  error: string | undefined
  /** Folders that are no targets, nor are those in them. */
  without: readonly string[]
  onChange: (path: string) => void
}

/** Chooses a folder of the server: typed, or found by browsing. */
export function FolderChoice({ serverId, value, error, without, onChange }: FolderChoiceProps) {
  const here = resolved('/', value)
  const listing = useQuery({
    queryKey: [LISTING, { params: { id: serverId }, path: here }, 'folders'],
    queryFn: () => api(LISTING, { params: { id: serverId }, query: { path: here, limit: 1_000 } }),
    retry: false,
  })
  return (
    <Column gap={8}>
      <TextField
        label={t.toFolder}
        value={value}
        error={error}
        onChange={onChange}
        mono
        width="fill"
        autoFocus
      />
      <section className={styles.folders} aria-label={t.subfolders({ folder: here })}>
        {here === '/' ? null : (
          <button type="button" onClick={() => onChange(folderOf(here))}>
            <CornerLeftUp aria-hidden />
            {t.up}
          </button>
        )}
        <Loaded query={listing} lines={3}>
          {({ items }) => {
            const folders = items.filter(
              (entry) => isFolder(entry) && !without.some((one) => isWithin(entry.path, one)),
            )
            return folders.length === 0 ? (
              <p>
                <Text muted>{t.noFolders}</Text>
              </p>
            ) : (
              folders.map(({ path, name }) => (
                <button key={path} type="button" onClick={() => onChange(path)}>
                  <Folder aria-hidden />
                  {name}
                </button>
              ))
            )
          }}
        </Loaded>
      </section>
    </Column>
  )
}
