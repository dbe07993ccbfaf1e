import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** The customer's servers with files and backups to download. */
export function OwnData() {
  const servers = useQuery(q('GET /api/servers', { query: { limit: 100 } }))
  return (
    <Column gap={10}>
      <Text strong>{t.exportTitle}</Text>
      <Loaded query={servers} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Text small muted>
              {t.noServers}
            </Text>
          ) : (
            <ul className={styles.messages}>
              {items.map(({ id, name, kind }) => (
                <li key={id} className={styles.message}>
                  <ServerData id={id} name={name} hasFiles={kind === 'container'} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Column>
  )
}

interface ServerDataProps {
  id: string
  name: string
  hasFiles: boolean
}

function ServerData({ id, name, hasFiles }: ServerDataProps) {
  const backups = useQuery(
    q('GET /api/servers/{id}/backups', { params: { id }, query: { limit: 100 } }),
  )
  const good = backups.data?.items.filter(({ state }) => state === 'good') ?? []
  const at = `/api/servers/${encodeURIComponent(id)}`
  return (
    <>
      <Text strong>{name}</Text>
      <ul className={styles.files} aria-label={name}>
        {hasFiles ? (
          <li>
            <a href={`${at}/files/download?path=%2F`} download>
              {t.allFiles}
            </a>
          </li>
        ) : null}
        {good.map((backup) => (
          <li key={backup.id}>
            <a href={`${at}/backups/${backup.id}/download`} download>
              {t.backup({ name: backup.name })}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
