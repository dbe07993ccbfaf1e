import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { said, why } from '../../../../panel/said.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Row, Text } from '../../../../ui/page/layout.tsx'
import { part } from '../../../../ui/page/part.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { backupsQuery, useOpenJob } from '../backups/use-backups.ts'
import { useRights } from '../use-rights.ts'
import { t } from './words.ts'

const NewBackup = part(() => import('../backups/new-backup.tsx'))
/** Enough that one is most probably complete. */
const LOOKED_AT = 5

/** The latest intact backup, and a button for another. */
export function BackupCard({ server }: { server: Server }) {
  const params = { id: server.id }
  const rights = useRights(server.id)
  const may = rights?.permissions.includes('backups.view') ?? false
  const backups = useQuery({ ...backupsQuery(server.id, LOOKED_AT), enabled: may })
  const job = useOpenJob(server)
  const [making, setMaking] = useState(false)
  const close = (): void => setMaking(false)
  if (!may) return null
  return (
    <Card
      title={t.latestBackup}
      actions={
        <LinkButton to={paths.serverBackups} params={params} size="small" kind="quiet">
          {t.allBackups}
        </LinkButton>
      }
    >
      <Loaded query={backups} lines={2}>
        {({ items, standing }) => {
          const latest = items.find(({ state, damaged }) => state === 'good' && !damaged)
          const size = latest?.sizeBytes ?? 0
          return (
            <Row between>
              <Text small muted={latest === undefined}>
                {latest === undefined
                  ? t.noBackup
                  : rich(
                      t.backupMade({
                        when: () => <Ago at={latest.createdAt} />,
                        size: formatBytes(size),
                      }),
                    )}
              </Text>
              <Button
                size="small"
                disabledBecause={
                  why(standing.whyNot.create) ?? (job && t.jobUnderWay({ job: said(job.title) }))
                }
                onClick={() => setMaking(true)}
              >
                {t.backUpNow}
              </Button>
            </Row>
          )
        }}
      </Loaded>
      <Dialog title={t.backUpServer} opened={making} onClose={close}>
        <NewBackup
          server={server}
          ignored={backups.data?.standing.ignored.patterns ?? []}
          onDone={close}
          onLost={close}
        />
      </Dialog>
    </Card>
  )
}
