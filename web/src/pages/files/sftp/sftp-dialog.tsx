import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SftpAccess } from '@lodge/shared/sftp.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paths } from '../../../paths.ts'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { CommandBox, Copyable } from '../../../ui/data/copy.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { QuickConfirm } from '../../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastRefused } from '../../../ui/notices/toast.tsx'
import { Facts } from '../../../ui/page/card.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import styles from './sftp.module.css'
import { t } from './words.ts'

const ACCESS = 'GET /api/servers/{id}/sftp'

interface SftpDialogProps {
  serverId: string
  opened: boolean
  onClose: () => void
}

/** How this person can access the files of a server with a program. */
export default function SftpDialog({ serverId, opened, onClose }: SftpDialogProps) {
  const access = useQuery({ ...q(ACCESS, { params: { id: serverId } }), enabled: opened })
  return (
    <Dialog title={t.sftp} opened={opened} onClose={onClose} wide fleeting>
      <Loaded query={access} lines={5}>
        {(found) =>
          found.port === null ? (
            <Note tone="info" title={t.off}>
              {t.offText}
            </Note>
          ) : found.allowed ? (
            <Details serverId={serverId} access={found} port={found.port} />
          ) : (
            <Note tone="warn" title={t.notAllowed}>
              {t.notAllowedText}
            </Note>
          )
        }
      </Loaded>
    </Dialog>
  )
}

const readAbout = (words: string) => (
  <a href={panelPath('help', { name: 'sftp' })} target="_blank" rel="noreferrer">
    {words}
  </a>
)

interface DetailsProps {
  serverId: string
  access: SftpAccess
  port: number
}

function Details({ serverId, access, port }: DetailsProps) {
  const { userName, hostKeys, sshKeys } = access
  const host = access.host ?? location.hostname
  const [fingerprint] = hostKeys
  return (
    <Column>
      <Text muted>{rich(t.lead({ link: readAbout }))}</Text>
      <Facts
        rows={[
          [t.host, <Copyable key="host" value={host} label={t.copyHost} />],
          [t.port, <Copyable key="port" value={String(port)} label={t.copyPort} />],
          [t.userName, <Copyable key="user" value={userName} label={t.copyUserName} />],
          ...(fingerprint
            ? ([
                [
                  t.hostKey,
                  <Copyable
                    key="fingerprint"
                    value={fingerprint.fingerprint}
                    label={t.copyHostKey}
                  />,
                ],
              ] as const)
            : []),
        ]}
      />
      <CommandBox command={`sftp -P ${port} ${userName}@${host}`} label={t.command} />
      <Password serverId={serverId} password={access.password} />
      <Row between>
        <Text muted>{t.keys({ count: sshKeys })}</Text>
        <LinkButton to={paths.accountKeys} size="small">
          {t.manageKeys}
        </LinkButton>
      </Row>
    </Column>
  )
}

/** When the password was last used, or created if never. */
const PasswordStanding = ({
  createdAt,
  lastUsedAt,
}: NonNullable<SftpAccess['password']>): ReactNode =>
  lastUsedAt === null
    ? rich(t.passwordMade({ when: () => <Ago at={createdAt} /> }))
    : rich(t.passwordUsed({ when: () => <Ago at={lastUsedAt} /> }))

function Password({ serverId, password }: Pick<SftpAccess, 'password'> & { serverId: string }) {
  const params = { id: serverId }
  const make = useAct('POST /api/servers/{id}/sftp/password', [ACCESS])
  const remove = useAct('DELETE /api/servers/{id}/sftp/password', [ACCESS])
  const [made, setMade] = useState<string>()
  const renew = (): void =>
    make.mutate(
      { params },
      {
        onSuccess: (answer) => setMade(answer.password),
        onError: (error) => toastRefused(t.notMade, error),
      },
    )
  return (
    <Column gap={12}>
      {made === undefined ? null : (
        <Note tone="ok" title={t.copyNow}>
          <CommandBox command={made} label={t.password} />
        </Note>
      )}
      <Row between>
        <div className={styles.says}>
          <Text muted>{password === null ? t.noPassword : <PasswordStanding {...password} />}</Text>
        </div>
        {password === null ? (
          <Button size="small" busy={make.isPending} onClick={renew}>
            {t.makePassword}
          </Button>
        ) : (
          <Row>
            <QuickConfirm question={t.renewQuestion} verb={t.renewPassword} onConfirm={renew}>
              <Button size="small">{t.renew}</Button>
            </QuickConfirm>
            <QuickConfirm
              question={t.removeQuestion}
              verb={t.removePassword}
              onConfirm={() =>
                remove.mutate(
                  { params },
                  {
                    onSuccess: () => setMade(undefined),
                    onError: (error) => toastRefused(t.notRemoved, error),
                  },
                )
              }
            >
              <Button size="small">{t.remove}</Button>
            </QuickConfirm>
          </Row>
        )}
      </Row>
    </Column>
  )
}
