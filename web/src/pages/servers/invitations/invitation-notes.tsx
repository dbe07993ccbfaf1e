import { panelPath } from '@lodge/shared/panel-paths.ts'
import { permissionTitle } from '@lodge/shared/server-permission-list.ts'
import { useNavigate } from '@tanstack/react-router'
import type { Reply } from '../../../api.ts'
import { said } from '../../../panel/said.ts'
import { useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Row, Column as Stack } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { t } from './words.ts'

type Invitation = Reply<'GET /api/invitations'>['items'][number]

/** Invitations to servers of others, to accept or to decline. */
export default function InvitationNotes({ items }: { items: readonly Invitation[] }) {
  const accept = useAct('POST /api/invitations/{id}/accept', [
    'GET /api/invitations',
    'GET /api/servers',
  ])
  const decline = useAct('DELETE /api/invitations/{id}', ['GET /api/invitations'])
  const navigate = useNavigate()
  const busy = accept.isPending || decline.isPending
  return (
    <Stack gap={10}>
      {items.map(({ id, serverName, inviter, permissions, expiresAt }) => (
        <Note
          key={id}
          tone="info"
          role="status"
          title={
            inviter === null
              ? t.hostShares({ server: serverName })
              : t.shares({ inviter, server: serverName })
          }
          action={
            <Row gap={8} nowrap>
              <Button
                size="small"
                disabledBecause={busy ? t.oneMoment : undefined}
                aria-label={t.declineNamed({ server: serverName })}
                onClick={() =>
                  decline.mutate(
                    { params: { id } },
                    {
                      onSuccess: () => toastDone(t.declined({ server: serverName })),
                      onError: (error) =>
                        toastRefused(t.declineRefused({ server: serverName }), error),
                    },
                  )
                }
              >
                {t.decline}
              </Button>
              <Button
                size="small"
                kind="primary"
                disabledBecause={busy ? t.oneMoment : undefined}
                aria-label={t.acceptNamed({ server: serverName })}
                onClick={() =>
                  accept.mutate(
                    { params: { id } },
                    {
                      onSuccess: ({ serverId }) => {
                        toastDone(t.accepted({ server: serverName }))
                        void navigate({ href: panelPath('server', { id: serverId }) })
                      },
                      onError: (error) =>
                        toastRefused(t.acceptRefused({ server: serverName }), error),
                    },
                  )
                }
              >
                {t.accept}
              </Button>
            </Row>
          }
        >
          {rich(
            t.invitationText({
              permissions: permissions.map((one) => said(permissionTitle(one))).join(', '),
              when: () => <Ago at={expiresAt} />,
            }),
          )}
        </Note>
      ))}
    </Stack>
  )
}
