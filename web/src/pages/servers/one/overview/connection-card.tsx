import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { Copyable } from '../../../../ui/data/copy.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Text } from '../../../../ui/page/layout.tsx'
import styles from './overview.module.css'
import { t } from './words.ts'

/** How to connect to the server: the template's text, then the values that programs need. */
export function ConnectionCard({ server }: { server: Server }) {
  const guide = useQuery({
    ...q('GET /api/servers/{id}/guide', { params: { id: server.id } }),
    staleTime: 60_000,
  })
  const { address, port } = server
  const hints = guide.data?.connection ?? []
  return (
    <Card title={t.connection}>
      {address === null ? (
        <Text muted>{t.noAddress}</Text>
      ) : port === null ? (
        <Text muted>{t.noPort}</Text>
      ) : (
        <Column gap={12}>
          {hints.length === 0 ? null : (
            <ul className={styles.hints}>
              {hints.map((hint) => (
                <li key={hint}>{hint}</li>
              ))}
            </ul>
          )}
          <dl className={styles.facts}>
            <dt>{t.host}</dt>
            <dd>
              <Copyable value={address} label={t.copyHost} />
            </dd>
            <dt>{t.port}</dt>
            <dd>
              <Copyable value={String(port)} label={t.copyPort} />
            </dd>
          </dl>
        </Column>
      )}
    </Card>
  )
}
